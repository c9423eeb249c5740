import WebStandards

/// What the line says.
///
/// `webinspect serve` has read it before, and says more of what is wrong with it.
struct ServerOptions {
    /// The port; 0 for any that is free.
    var port = 0
    /// The folder of the cache.
    var cache = ""
    /// The program that reads pages.
    var program = ""
    /// Whether the page is opened in the user's browser.
    var opens = false

    /// - Returns: nil where the line is none that the command writes.
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
