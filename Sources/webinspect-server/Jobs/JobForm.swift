import WebStandards

/// The task of a job: options of a request that were checked and bounded.
///
/// Unknown names are ignored, so that nothing else can get into a command line.
struct JobForm: Equatable, Sendable {
    /// The command that runs it.
    enum Kind: String, Sendable {
        case check, crawl, batch, watch
    }

    /// Where a crawl stores its responses.
    enum Output: String, Sendable {
        /// A WARC in the job's folder.
        case warc
        /// The cache, so that the list shows the pages.
        case cache
    }

    /// Where a batch loads pages from.
    enum Source: String, Sendable {
        /// The cache, and servers for what is missing.
        case prefer
        /// The cache alone.
        case only
        /// Servers alone.
        case reload
    }

    let kind: Kind
    private(set) var isRecursive = false
    private(set) var depth: Int?
    private(set) var maximumPages: Int?
    private(set) var checksExternal = true
    private(set) var checksFragments = true
    /// The maximum number of loads per second and host.
    private(set) var rate: Double?
    private(set) var include: [String] = []
    private(set) var exclude: [String] = []
    private(set) var output = Output.warc
    /// The names of the actions of a batch on each page.
    private(set) var runs: [String] = []
    /// The name of the recipe that a batch evaluates; its text is in the job's folder.
    private(set) var recipe: String?
    private(set) var source = Source.prefer
    /// Seconds between two checks of a watch; `nil` for a single check.
    private(set) var interval: Int?

    /// The possible actions of a batch on a page, with the arguments of its command.
    static let knownRuns = [
        "links": "links", "text": "text --markdown", "meta": "meta", "tables": "tables", "url": "url",
    ]

    private static let rates = 0.01...100.0
    private static let intervals = 10...2_592_000
    private static let most = (globs: 50, glob: 1000, name: 200)

    /// Parses options.
    ///
    /// - Parameters:
    ///   - name: The name of the job's kind.
    ///   - options: An object, of a request or from ``json``.
    /// - Throws: ``ServeError`` for options that the app's form does not send.
    init(kind name: String, options: JSONValue) throws(ServeError) {
        guard let kind = Kind(rawValue: name) else {
            throw Self.usage("a job is check, crawl, batch or watch")
        }
        guard case .object = options else { throw Self.usage("the member options has to be an object") }
        self.kind = kind
        rate = try Self.number("rate", options).map {
            min(max($0, Self.rates.lowerBound), Self.rates.upperBound)
        }
        switch kind {
        case .check:
            isRecursive = try Self.flag("recursive", options, default: false)
            checksExternal = try Self.flag("external", options, default: true)
            checksFragments = try Self.flag("fragments", options, default: true)
            try readReach(options)
        case .crawl:
            output = try Self.choice("output", options) ?? .warc
            try readReach(options)
        case .batch:
            runs = try options.strings("run", atMost: Self.knownRuns.count)
            guard runs.allSatisfy({ Self.knownRuns[$0] != nil }), Set(runs).count == runs.count else {
                throw Self.usage("the member run has what is not known, or twice")
            }
            if options["recipe"]?.string != nil || options["recipe_name"]?.string != nil {
                let name = options["recipe_name"]?.string ?? ""
                recipe = name.isEmpty ? "recipe" : name.prefix(scalars: Self.most.name)
            }
            guard !runs.isEmpty || recipe != nil else {
                throw Self.usage("there is nothing to do with the pages")
            }
            source = try Self.choice("cache", options) ?? .prefer
        case .watch:
            interval = try Self.whole("interval", options, in: Self.intervals)
        }
    }

    private mutating func readReach(_ options: JSONValue) throws(ServeError) {
        depth = try Self.whole("depth", options, in: 0...100)
        maximumPages = try Self.whole("max_pages", options, in: 1...1_000_000)
        include = try Self.globs("include", options)
        exclude = try Self.globs("exclude", options)
    }

    /// The options, in the form in which they are parsed again.
    var json: JSONValue {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue) { members.append(.init(name, value)) }
        func addReach() {
            if let depth { add("depth", JSONValue(depth)) }
            if let maximumPages { add("max_pages", JSONValue(maximumPages)) }
            if !include.isEmpty { add("include", .array(include.map(JSONValue.string))) }
            if !exclude.isEmpty { add("exclude", .array(exclude.map(JSONValue.string))) }
        }
        switch kind {
        case .check:
            add("recursive", .bool(isRecursive))
            add("external", .bool(checksExternal))
            add("fragments", .bool(checksFragments))
            addReach()
        case .crawl:
            add("output", .string(output.rawValue))
            addReach()
        case .batch:
            add("run", .array(runs.map(JSONValue.string)))
            if let recipe { add("recipe_name", .string(recipe)) }
            add("cache", .string(source.rawValue))
        case .watch: if let interval { add("interval", JSONValue(interval)) }
        }
        if let rate { add("rate", .number(rate)) }
        return .object(members)
    }

    // MARK: - Members

    static func usage(_ message: String) -> ServeError { ServeError(400, "usage", message) }

    private static func number(_ name: String, _ options: JSONValue) throws(ServeError) -> Double? {
        guard let value = options[name], value != .null else { return nil }
        guard let number = value.number, number.isFinite else {
            throw usage("the member \(name) has to be a number")
        }
        return number
    }

    /// Returns a whole number; a value outside of the range is clamped to it.
    private static func whole(
        _ name: String,
        _ options: JSONValue,
        in range: ClosedRange<Int>
    ) throws(ServeError) -> Int? {
        try number(name, options).map { min(max(Int(bounded: $0), range.lowerBound), range.upperBound) }
    }

    private static func flag(
        _ name: String,
        _ options: JSONValue,
        default value: Bool
    ) throws(ServeError) -> Bool {
        switch options[name] {
        case nil, .null?: value
        case .bool(let given)?: given
        default: throw usage("the member \(name) has to be true or false")
        }
    }

    private static func choice<Value: RawRepresentable<String>>(
        _ name: String,
        _ options: JSONValue
    ) throws(ServeError) -> Value? {
        guard let given = options[name], given != .null else { return nil }
        guard let text = given.string, let value = Value(rawValue: text) else {
            throw usage("the member \(name) has a value that is not known")
        }
        return value
    }

    private static func globs(_ name: String, _ options: JSONValue) throws(ServeError) -> [String] {
        let globs = try options.strings(name, atMost: most.globs)
            .map(\.trimmingASCIIWhitespace).filter { !$0.isEmpty }
        for glob in globs {
            guard glob.utf8.count <= most.glob, !glob.unicodeScalars.contains(where: { $0.value < 0x20 })
            else {
                throw usage("a pattern of \(name) is a line of at most \(most.glob) bytes")
            }
        }
        return globs
    }
}
