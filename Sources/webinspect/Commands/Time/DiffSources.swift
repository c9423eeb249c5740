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

        fileprivate init(name: String, title: String, options: LoadingOptions) {
            (self.name, self.title, self.options) = (name, title, options)
        }

        /// A source, of which there may be copies of several dates.
        fileprivate init(_ name: String, at given: Timestamp?, _ options: LoadingOptions) {
            // Of a file there is one copy only.
            let scheme = name.prefix { $0 != ":" }.lowercased()
            let hasCopies = scheme == "http" || scheme == "https" || !options.archives.isEmpty
            let date = hasCopies ? given : nil
            var own = options
            own.archiveDate = date
            let title = TerminalText.visible(Source.redacted(name))
            self.init(name: name, title: date.map { "\(title) at \($0.text)" } ?? title, options: own)
        }
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
        self.old = Operand(old, at: dates.first, options)
        // Two sources at one date, or one source at two: at a single date it is compared with what it is now.
        self.new = Operand(
            new ?? old,
            at: dates.count > 1 ? dates[1] : new == nil ? nil : dates.first,
            options
        )
    }

    /// One page as it was served, and what its scripts make of it.
    ///
    /// - Throws: ``Failure`` if the options name two copies.
    init(served name: String, _ options: LoadingOptions) throws(Failure) {
        guard options.dates.count <= 1 else {
            throw Failure(usage: "--at", "one at most: --served --rendered are of one copy")
        }
        func source(_ words: String, isRendered: Bool) -> Operand {
            var own = options
            own.rendering.isWanted = isRendered
            let source = Operand(name, at: options.dates.first, own)
            return Operand(name: name, title: "\(source.title), \(words)", options: source.options)
        }
        old = source("as served", isRendered: false)
        new = source("rendered", isRendered: true)
    }
}
