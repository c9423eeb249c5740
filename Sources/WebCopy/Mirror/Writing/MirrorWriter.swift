import WebDocument
import WebLoader
import WebSite
import WebStandards

/// A writer of the copy of a site: each URL with content becomes a file, and its references point to other files where
/// these are stored.
struct MirrorWriter {
    private let folder: MirrorFolder
    private let index: MirrorIndex
    private let options: MirrorJob.Options
    private let references: MirrorReferences
    private let loader: PageLoader
    private let stop: StopRequest
    /// The reason for which a URL is missing that was neither requested nor excluded.
    private let unknown: String

    init(
        _ folder: MirrorFolder,
        _ index: MirrorIndex,
        _ options: MirrorJob.Options,
        _ loader: PageLoader,
        _ stop: StopRequest,
        unknown: String
    ) {
        self.folder = folder
        self.index = index
        self.options = options
        self.stop = stop
        self.unknown = unknown
        references = MirrorReferences(options)
        var configuration = PageLoader.Configuration()
        configuration.limits = loader.configuration.limits
        configuration.blockingWork = .threads
        self.loader = PageLoader(configuration: configuration)
    }

    /// Writes all files, and removes those that do not belong to the mirror any more.
    ///
    /// - Parameter missing: The URLs that could not be loaded.
    /// - Returns: The summary of the copy; `nil` if it was asked to end.
    /// - Throws: ``/WebSite/StateError`` if a file cannot be written.
    func write(_ missing: [MirrorSummary.Missing]) async throws(StateError) -> MirrorSummary? {
        let selectors = references.selectors
        var work = MirrorWork(await MirrorPlaces(index, loader), index, selectors, missing: missing)
        let files = MirrorFiles(
            old: try folder.files(),
            new: Set(work.places.files).union([MirrorNames.index])
        )
        try await prepare(files)
        let sheets = work.places.owners.filter { work.places.types[$0]?.essence == "text/css" }
        for number in sheets where selectors.keepsValues {
            guard stop.level == .goOn else { return nil }
            await noteTests(of: number, &work)
        }
        // Pages come first: they decide the encoding of a style sheet that does not declare its own.
        for number in work.places.owners where work.places.types[number]?.essence != "text/css" {
            guard stop.level == .goOn else { return nil }
            try await write(number, &work)
        }
        // An imported sheet takes its encoding from the one that imports it; unreferenced sheets come last.
        var written: Set<Int> = []
        for sheet in sheets {
            while let number = work.takeReady() ?? (written.contains(sheet) ? nil : sheet) {
                guard written.insert(number).inserted else { continue }
                guard stop.level == .goOn else { return nil }
                try await write(number, &work)
            }
        }
        try await write(index: &work)
        try await finish(files)
        return work.summary
    }

    /// Makes room for the files of the copy, and checks that no other files are in their places.
    private func prepare(_ files: MirrorFiles) async throws(StateError) {
        try await BlockingWork.threads.run { [folder] () throws(StateError) in
            for file in files.obstacles { folder.remove(MirrorFiles.place(of: file)) }
            try folder.check(new: files.new.subtracting(files.old).sorted().map(MirrorFiles.place(of:)))
            // However the process ends, the list has all files of the mirror.
            try folder.keep(files: files.new.union(files.old).sorted())
            for place in files.folders { folder.sweep(place) }
        }
    }

    private func finish(_ files: MirrorFiles) async throws(StateError) {
        try await BlockingWork.threads.run { [folder] () throws(StateError) in
            for file in files.stale { folder.remove(MirrorFiles.place(of: file)) }
            try folder.keep(files: files.new.sorted())
        }
    }

    // MARK: - Files

    private func write(_ number: Int, _ work: inout MirrorWork) async throws(StateError) {
        guard let place = work.places.paths[number] else { return }
        let bytes: [UInt8]
        do throws(LoadError) {
            let response = try await index.shown(number, loader)
            bytes = try await rewritten(response, number, place, &work)
        } catch {
            let missing = MirrorSummary.Missing(index.entries[number].url.href, error.code.rawValue)
            work.summary.missing.append(missing)
            work.failed.insert(number)
            // Other pages link to it all the same.
            guard let type = work.places.types[number], type.isHTML || type.essence == "application/xhtml+xml"
            else { return }
            bytes = MirrorIndexPage.missing(missing.url, missing.code)
        }
        try await write(bytes, place, &work)
    }

    /// Records the attributes that the selectors of a style sheet test: ASCII, in any encoding.
    private func noteTests(of number: Int, _ work: inout MirrorWork) async {
        guard work.tested.count < Self.maximumTested,
            let response = try? await index.shown(number, loader)
        else { return }
        let selectors = work.selectors
        work.tested.formUnion(
            await BlockingWork.threads.run {
                selectors.tested(by: StyleSelectors(Array(StyleSheetLinks.text(of: response).utf8)))
            }
        )
    }

    private func write(
        _ bytes: [UInt8],
        _ place: [String],
        _ work: inout MirrorWork
    ) async throws(StateError) {
        try await BlockingWork.threads.run { [folder] () throws(StateError) in
            try folder.write(bytes, to: place)
        }
        work.summary.files += 1
        work.summary.bytes +|= bytes.count
    }

    /// Returns the bytes of a file: one with references gets those of the copy, all others stay as received.
    private func rewritten(
        _ response: WebResponse,
        _ number: Int,
        _ place: [String],
        _ work: inout MirrorWork
    ) async throws(LoadError) -> [UInt8] {
        guard let type = work.places.types[number], type.isHTML || type.isXML || type.essence == "text/css"
        else { return response.body }
        let environment = work.environments[number] ?? .utf8
        let (page, rewriter) = try await parsed(response, environment)
        let result: Rewritten
        switch rewriter {
        case nil: return response.body
        case .sheet(let sheet):
            var scope = scope(response.url, place, environment, isXML: false, work)
            await scope.embedding.load(sheet.references)
            result = sheet.rewritten(selectors: work.selectors) { decide($0, &scope, &work) }
        case .page(let rewriter):
            if page.kind == .html || page.kind == .xhtml {
                work.titles[number] = String((page.title ?? "").prefix(Self.maximumTitle))
            }
            let isXML = page.kind != .html
            var scope = scope(response.url, place, page.encoding?.encoding, isXML: isXML, work)
            await scope.embedding.load(rewriter.references)
            let head = options.keepsScripts ? "" : isXML ? Self.policyOfXHTML : Self.policy
            var selectors = work.selectors
            selectors.sparesSymbols = rewriter.references.contains(where: \.isSymbol)
            if selectors.sparesSymbols { work.selectors.sparesSymbols = true }
            result = rewriter.rewritten(head: head, selectors: selectors, tested: work.tested) {
                decide($0, &scope, &work)
            }
            if !scope.embedding.sprites.isEmpty { work.sprites = scope.embedding.sprites }
            if page.isTruncated || rewriter.isTruncated {
                let isLate = page.limits.contains { $0.code == .time }
                let code = isLate ? "limit.time" : "limit.size"
                work.summary.missing.append(MirrorSummary.Missing(response.url.href, code))
            }
        }
        for (name, count) in result.changed { work.summary.changed[name, default: 0] += count }
        return result.bytes
    }

    /// A policy that prevents a page from loading anything outside of the folder.
    ///
    /// It holds for pages that are opened as files and for those on a server. While a browser parses a page, it may
    /// load resources of elements that are not in the final tree: those that a `frameset` removes again, and those in a
    /// `template` too deep to be one.
    private static let policy = """
        <meta http-equiv="Content-Security-Policy" content="default-src 'self' file: data: 'unsafe-inline'; script-src 'none'">
        """

    /// The same policy as an element of XML, whatever prefixes are declared around it.
    private static let policyOfXHTML =
        "<meta xmlns=\"http://www.w3.org/1999/xhtml\" \(policy.dropFirst(6).dropLast())/>"

    /// The number of tested attributes beyond which no more style sheets are examined: there are some hundred.
    private static let maximumTested = 4096

    /// The maximum length of a title that is shown, in characters.
    private static let maximumTitle = 200

    /// The rewriter of a file.
    private enum Rewriter: Sendable {
        case sheet(SheetRewriter)
        case page(PageRewriter)
    }

    /// Parses a file that has references; the rewriter is `nil` if the file is empty.
    private func parsed(
        _ response: WebResponse,
        _ environment: TextEncoding
    ) async throws(LoadError) -> (page: ParsedPage, rewriter: Rewriter?) {
        let (references, limits) = (references, loader.configuration.limits)
        do throws(ParsingError) {
            return try await BlockingWork.threads.run {
                () throws(ParsingError) -> (page: ParsedPage, rewriter: Rewriter?) in
                var parsing = ParsingSettings(limits: limits)
                parsing.notesTags = true
                parsing.startClock()
                let page = try ParsedPage(response, PageContent.Settings(parsing: parsing))
                if let sheet = MirrorReferences.sheet(page, environment) { return (page, .sheet(sheet)) }
                if page.document == nil, response.body.isEmpty { return (page, nil) }
                return (page, .page(try references.rewriter(of: page)))
            }
        } catch {
            throw LoadError(error, url: response.url)
        }
    }

    /// The state of a file while it is rewritten.
    private struct Scope {
        let url: WebURL
        let place: [String]
        /// The file's encoding, for the style sheets that it refers to.
        let environment: TextEncoding?
        /// Whether an element can have an attribute only once.
        let isXML: Bool
        var embedding: MirrorEmbedding
        var symbols = SymbolInliner()
        /// Bytes of `data:` URLs that may still be written.
        var room = MirrorEmbedding.maximumWritten
    }

    private func scope(
        _ url: WebURL,
        _ place: [String],
        _ environment: TextEncoding?,
        isXML: Bool,
        _ work: MirrorWork
    ) -> Scope {
        let embedding = MirrorEmbedding(index, work.places, references, loader, known: work.sprites)
        return Scope(url: url, place: place, environment: environment, isXML: isXML, embedding: embedding)
    }

    /// Returns the replacement of a reference in a file.
    private func decide(
        _ reference: CopyReference,
        _ scope: inout Scope,
        _ work: inout MirrorWork
    ) -> Replacement {
        if reference.url.scheme == "data" {
            guard reference.isRequisite, reference.canBeLoaded else { return .keep }
            let text = scope.embedding.texts[reference.resource.href]
            return text.flatMap { embedded($0, reference, &scope, &work) } ?? .missing
        }
        if reference.isForbidden { return .missing }
        guard let target = index.target(of: reference.url), let path = work.places.paths[target.entry] else {
            guard reference.isRequisite else { return .absolute }
            if reference.isOptional { return .remove }
            note(missing: reference.url, scope, &work)
            return .missing
        }
        if reference.isSymbol { return symbol(reference, target.entry, &scope, &work) }
        if reference.needsCORS, let data = scope.embedding.images[target.entry],
            let embedded = embedded(data, reference, &scope, &work)
        {
            return embedded
        }
        if reference.kind == .stylesheet {
            guard work.places.types[target.entry]?.essence == "text/css" else { return .missing }
            if let environment = scope.environment { work.note(environment, of: target.entry) }
        }
        let file = RelativeReference.reference(from: scope.place, to: path, fragment: target.fragment)
        // A frame with an opaque origin cannot load files. Without scripts it may have the origin of its page.
        let isFrame = reference.kind == .frame && reference.element == "iframe"
        if isFrame, let sandbox = reference.sandbox, !options.keepsScripts, !scope.isXML {
            return .marked(file, attribute: "sandbox", value: "\(sandbox) allow-same-origin")
        }
        return .url(file)
    }

    /// Returns a `data:` URL in place of a reference; `nil` if the limit of the file, or of the mirror, is exceeded.
    private func embedded(
        _ data: String,
        _ reference: CopyReference,
        _ scope: inout Scope,
        _ work: inout MirrorWork
    ) -> Replacement? {
        let count = data.utf8.count
        guard count <= min(scope.room, work.room) else {
            if work.full.insert(scope.url.href).inserted {
                work.summary.missing.append(MirrorSummary.Missing(scope.url.href, "limit.size"))
            }
            return nil
        }
        scope.room -= count
        work.room -= count
        return .url(data + reference.url.hash)
    }

    /// Records a missing URL that the job does not list: it is excluded, or too far away to be requested.
    private func note(missing reference: WebURL, _ scope: Scope, _ work: inout MirrorWork) {
        guard options.crawl.loadsResources, work.summary.missing.count < MirrorMissing.maximumCount,
            case .unknown(let url) = index.end(of: reference), work.known.insert(index.key(of: url)).inserted
        else { return }
        // No page from elsewhere can load files of this machine.
        let isFile = url.scheme == "file" && scope.url.scheme != "file"
        let exclusion = isFile ? .scheme : options.crawl.scope.exclusion(ofResource: url)
        work.summary.missing.append(MirrorSummary.Missing(url.href, exclusion?.rawValue ?? unknown))
    }

    private func symbol(
        _ reference: CopyReference,
        _ entry: Int,
        _ scope: inout Scope,
        _ work: inout MirrorWork
    ) -> Replacement {
        guard let sprite = scope.embedding.sprites[entry] else { return .missing }
        let isShared = reference.frameDepth == 0 && reference.isInPageScope
        let place = scope.place
        // References of the file itself; a symbol of yet another file is missing.
        let made = scope.symbols.symbol(reference.url, isShared: isShared, sprite.page) {
            sprite.rewriter.rewritten { inner in
                guard !inner.isSymbol, let target = index.target(of: inner.url),
                    let path = work.places.paths[target.entry]
                else { return inner.isRequisite ? .missing : .absolute }
                return .url(RelativeReference.reference(from: place, to: path, fragment: target.fragment))
            }.bytes
        }
        return made.map { .symbol(markup: $0.markup, id: $0.id) } ?? .missing
    }

    // MARK: - The page that leads in

    private func write(index work: inout MirrorWork) async throws(StateError) {
        var items: [MirrorIndexPage.Item] = []
        for number in work.places.owners where !work.failed.contains(number) {
            guard let place = work.places.paths[number] else { continue }
            let isPage = work.titles[number] != nil
            let url = index.entries[number].url.href
            items.append(
                MirrorIndexPage.Item(title: work.titles[number] ?? "", url: url, place: place, isPage: isPage)
            )
        }
        let starts = options.crawl.seeds.compactMap { seed in
            index.target(of: seed).map { index.entries[$0.entry].url.href }
        }
        var summary = work.summary
        // The index page is one of the files.
        summary.files += 1
        let page = MirrorIndexPage(
            seeds: options.crawl.seeds.map(\.withoutCredentials.href),
            starts: starts,
            items: items.sorted { $0.url < $1.url },
            summary: summary,
            date: .now
        )
        try await write(page.bytes, [MirrorNames.index], &work)
    }
}
