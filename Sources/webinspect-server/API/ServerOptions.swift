import WebStandards

/// The options of the command line.
///
/// `webinspect serve` has parsed it before, and reports errors in more detail.
struct ServerOptions {
    /// The port; 0 for any free port.
    var port = 0
    /// The folder of the cache.
    var cache = ""
    /// The program that reads pages.
    var program = ""
    /// Whether the page is opened in the user's browser.
    var opens = false

    /// Parses the arguments; `nil` if they are not as the command writes them.
    init?(_ arguments: some Collection<String>) {
        var rest = arguments[...]
        while let flag = rest.popFirst() {
            if flag == "--open" {
                opens = true
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch flag {
            case "--port":
                guard let number = Int(inBounds: value), (0...65_535).contains(number) else { return nil }
                port = number
            case "--cache-dir": cache = value
            case "--program": program = value
            default: return nil
            }
        }
        guard !cache.isEmpty, !program.isEmpty else { return nil }
    }
}
