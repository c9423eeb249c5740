import WebLoader

/// The pages that a line is about: its sources one after the other, or with `--all` each page of its
/// archives.
///
/// The failure of a single source ends the line; of several sources, each failure is a message, and the first
/// decides the exit status. With several sources, the answer is no only if it is no for each.
struct PageSources {
    /// A page, and what it is called.
    struct Item {
        /// The source as it was given; of an archive's page, its URL.
        let name: String
        /// When it was captured, for a page of `--all`.
        let date: Timestamp?
        /// Whether it is one of `--all`.
        let isArchived: Bool
        /// Whether it is the only one.
        let isOnly: Bool
        /// The page.
        let page: Page

        /// Leaves something of the page to the end of the process: to free a tree node by node would only take time.
        ///
        /// Of several pages nothing may be left.
        func leave(_ object: AnyObject) {
            guard isOnly else { return }
            _ = unsafe Unmanaged.passRetained(object)
        }
    }

    /// The format of the output for one of several sources.
    enum Form {
        /// Lines of text, each of which gets the source before it, and a tab.
        case lines
        /// Rows that have the source in them already.
        case rows
        /// A text with a line of its own that says the source.
        case text
        /// The matches of a page as JSON, one per line, each beginning as a document does.
        case matches
        /// The same for links, which have a URL of their own: the source comes first.
        case links
        /// One JSON document, which begins with the URL and the date if it is an archive's page.
        case document
    }

    let options: LoadingOptions
    let names: [String]
    let loader: PageLoader

    /// Creates the list, and starts the clock of a line with one source.
    ///
    /// - Throws: ``Failure`` if there is no source, or a flag contradicts another.
    init(_ names: [String], _ options: LoadingOptions) throws(Failure) {
        self.options = options
        self.names = names
        if options.takesAllPages {
            guard names.isEmpty else { throw Failure(usage: "--all", "not together with a source") }
            // A long archive may take longer than a page may.
            if options.maximumTime != nil { options.startClock("--from") }
        } else {
            guard let first = names.first else {
                throw Failure(usage: "source", "expects a URL, a path, or \"-\"; see webinspect --help")
            }
            if options.archives.isEmpty { for name in names { try SourceMistake.check(name) } }
            // Of several, each has the time limit for itself; its load enforces it.
            if names.count == 1 { options.startClock(first) }
            guard names.count(where: { $0 == "-" }) < 2 else {
                throw Failure(usage: "-", "standard input can be read once")
            }
        }
        loader = try options.loader()
    }

    /// Whether the output must name the source of each result.
    var areSeveral: Bool { options.takesAllPages || names.count > 1 }

    /// Passes each page to a closure, which adds to the output, and writes it.
    ///
    /// - Returns: The first status that is not `done`.
    func forEach(
        _ body: (Item, inout PageOutput) async throws(Failure) -> ExitStatus
    ) async throws(Failure) -> ExitStatus {
        var output = PageOutput(options, isOneOfSeveral: areSeveral)
        guard areSeveral else {
            let name = names[0]
            let page = try await options.load(name, with: loader)
            return try await body(item(name, page, isOnly: true), &output)
        }
        var outcome = Outcome()
        if options.takesAllPages {
            var pages = loader.archivedPages.makeAsyncIterator()
            while let found = try await Self.next(
                &pages,
                of: options,
                onFailure: { (error) async throws(Failure) in
                    try await attempt("--from", nil, &output, &outcome) { (_) throws(Failure) in throw error }
                }
            ) {
                try await attempt(found.url, found.date, &output, &outcome) {
                    (output) async throws(Failure) in
                    let page = try await page(found)
                    let item = Item(
                        name: found.url,
                        date: found.date,
                        isArchived: true,
                        isOnly: false,
                        page: page
                    )
                    return try await body(item, &output)
                }
            }
        } else {
            for name in names {
                try await attempt(name, nil, &output, &outcome) { (output) async throws(Failure) in
                    let page = try await options.load(name, with: loader)
                    return try await body(item(name, page, isOnly: false), &output)
                }
            }
        }
        try output.finish()
        return outcome.status
    }

    /// The combined outcome of several sources.
    private struct Outcome {
        private var failure: ExitStatus?
        // As in grep: the answer is no only if nothing was found anywhere.
        private var isFound = false

        /// The status of the first failure; else whether something was found.
        var status: ExitStatus { failure ?? (isFound ? .done : .no) }

        mutating func note(_ status: ExitStatus) {
            if status == .done { isFound = true }
            if status != .done, status != .no { note(failure: status) }
        }

        mutating func note(failure status: ExitStatus) { failure = failure ?? status }
    }

    private func item(_ name: String, _ page: Page, isOnly: Bool) -> Item {
        Item(name: name, date: nil, isArchived: false, isOnly: isOnly, page: page)
    }

    /// The next page of the archives; nil at the end.
    static func next(
        _ pages: inout ArchivedPages.AsyncIterator
    ) async throws(Failure) -> ArchivedPages.Element? {
        do throws(ArchiveError) {
            return try await pages.next()
        } catch {
            throw Failure(error, archive: "--from")
        }
    }

    /// The next page, of several archives also behind one that cannot be read.
    ///
    /// - Throws: ``Failure``, of the only archive, or what the closure throws.
    static func next(
        _ pages: inout ArchivedPages.AsyncIterator,
        of options: LoadingOptions,
        onFailure: (Failure) async throws(Failure) -> Void
    ) async throws(Failure) -> ArchivedPages.Element? {
        while true {
            do throws(Failure) {
                return try await next(&pages)
            } catch {
                guard options.archives.count > 1, !Task.isCancelled else { throw error }
                try await onFailure(error)
            }
        }
    }

    private func page(_ found: ArchivedPages.Element) async throws(Failure) -> Page {
        let overrides = try options.overrides()
        do throws(LoadError) {
            return try await loader.load(try found.result.get(), overriding: overrides)
        } catch {
            throw Failure(error, source: found.url)
        }
    }

    /// Does one of several, of which no failure ends the others.
    ///
    /// - Throws: ``Failure`` if the output cannot be written, for then there is nothing to go on for.
    private func attempt(
        _ name: String,
        _ date: Timestamp?,
        _ output: inout PageOutput,
        _ outcome: inout Outcome,
        _ body: (inout PageOutput) async throws(Failure) -> ExitStatus
    ) async throws(Failure) {
        do throws(Failure) {
            outcome.note(try await body(&output))
        } catch {
            if error.code == FileError.Code.unwritable.rawValue { throw error }
            Output.message(error.line)
            outcome.note(failure: error.status)
            if !error.isReported, options.writesDocuments { try output.add(error, of: name, date) }
        }
    }
}
