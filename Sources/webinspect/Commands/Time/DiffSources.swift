import WebDifference
import WebLoader

/// The two sources of `diff`, each with what it is called and how it is loaded.
struct DiffSources {
    struct Operand {
        /// As it was given.
        let name: String
        /// As it is shown: of two copies of a URL with their dates.
        let title: String
        let options: LoadingOptions
    }

    let old: Operand
    let new: Operand

    /// - Parameters:
    ///   - old: The first operand.
    ///   - new: The second; nil where one URL is compared with itself at another date.
    ///   - options: The options of the line, with the dates of `--at`.
    /// - Throws: ``Failure`` if they cannot be combined.
    init(_ old: String, _ new: String?, _ options: LoadingOptions) throws(Failure) {
        let dates = options.dates
        guard dates.count <= 2 else { throw Failure(usage: "--at", "two at most: that of OLD, that of NEW") }
        guard new != nil || !dates.isEmpty else {
            throw Failure(usage: "new", "expects a second source, or --at")
        }
        if old == "-", new == "-" || new == nil {
            throw Failure(usage: "-", "standard input can be one of the pages only")
        }
        func source(_ name: String, _ given: Timestamp?) -> Operand {
            // Of a file there is one copy only.
            let scheme = name.prefix { $0 != ":" }.lowercased()
            let hasCopies = scheme == "http" || scheme == "https" || !options.archives.isEmpty
            let date = hasCopies ? given : nil
            var own = options
            own.archiveDate = date
            let title = TerminalText.visible(Source.redacted(name))
            return Operand(name: name, title: date.map { "\(title) at \($0.text)" } ?? title, options: own)
        }
        self.old = source(old, dates.first)
        // Two sources at one date, or one source at two: at a single date it is compared with what it is now.
        self.new = source(new ?? old, dates.count > 1 ? dates[1] : new == nil ? nil : dates.first)
    }
}
