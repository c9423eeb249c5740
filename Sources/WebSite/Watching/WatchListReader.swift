import Glibc
import WebDifference
import WebLoader
import WebRules

extension WatchList {
    /// Parses a list.
    ///
    /// - Parameters:
    ///   - source: YAML or JSON, in UTF-8, at most 1 MiB.
    ///   - file: The path of the list; recipes are relative to its folder.
    /// - Throws: ``/WebRules/RuleError`` with the place in the list, or in a recipe.
    package init(parsing source: [UInt8], file: String) throws(RuleError) {
        let reader = WatchListReader(folder: Directory.split(file).folder)
        entries = try reader.entries(try RecipeText.read(source, file: file))
        path = WatchListReader.absolute(file)
    }
}

/// Creates entries from the values of a list's text.
struct WatchListReader {
    /// The folder that paths are relative to.
    let folder: String

    /// The keys of a list.
    private static let listKeys = ["version", "defaults", "watch"]
    /// The keys of an entry, and of the defaults for all entries.
    private static let sharedKeys = [
        "select", "recipe", "fields", "ignore", "ignore_attributes", "ignore_text", "ignore_numbers",
        "visible",
        "only", "when", "changes", "failures", "history", "render", "run", "webhook",
    ]
    private static let ownKeys = ["url", "name"] + sharedKeys
    /// The maximum number of entries of a list.
    private static let maximumCount = 10_000

    /// Returns the entries of a list: of its key "watch", or of a list without keys.
    func entries(_ node: RecipeNode) throws(RuleError) -> [WatchEntry] {
        var defaults: [String: RecipeNode] = [:]
        var list = node
        if case .mapping = node.content {
            let keys = try mapping(node, Self.listKeys, "a list of pages")
            if let version = keys["version"] {
                guard case .scalar(.integer(1)) = version.content else { throw version.fault("version 1") }
            }
            if let node = keys["defaults"] {
                defaults = try mapping(node, Self.sharedKeys, "\"defaults\"")
            }
            guard let watch = keys["watch"] else { throw node.fault("\"watch\", the list of pages") }
            list = watch
        }
        guard case .list(let items) = list.content, !items.isEmpty else {
            throw list.fault("a list of pages")
        }
        guard items.count <= Self.maximumCount else {
            throw RuleError(.invalid, "more than \(Self.maximumCount) pages", at: list.place)
        }
        var entries: [WatchEntry] = []
        var names: Set<String> = []
        for item in items {
            let entry = try entry(item, defaults)
            guard names.insert(entry.name).inserted else {
                throw RuleError(
                    .invalid,
                    "expected a \"name\" of its own, since another entry is called \"\(entry.name.prefix(100))\"",
                    at: item.place
                )
            }
            entries.append(entry)
        }
        return entries
    }

    private func entry(
        _ node: RecipeNode,
        _ defaults: [String: RecipeNode]
    ) throws(RuleError) -> WatchEntry {
        var keys: [String: RecipeNode]
        if case .scalar(.string) = node.content {
            keys = ["url": node]
        } else {
            keys = try mapping(node, Self.ownKeys, "a page")
        }
        let subjects = ["select", "recipe", "fields"]
        let hasSubject = subjects.contains { keys[$0] != nil }
        for (key, value) in defaults where keys[key] == nil {
            // An entry with one of the three replaces a default of any of them.
            if hasSubject, subjects.contains(key) { continue }
            keys[key] = value
        }
        guard let place = keys["url"] else { throw node.fault("a page with a \"url\"") }
        let url = try url(place)
        let name = try keys["name"].map { (node) throws(RuleError) in try node.text("a name") }
        // A path is named as written.
        let usual = url.scheme == "file" ? try place.text("a URL") : url.withoutCredentials.href
        var entry = WatchEntry(name: name ?? usual, url: url)
        entry.subject = try subject(keys, subjects)
        entry.difference = try options(keys)
        entry.only = try keys["only"].map { (node) throws(RuleError) in try Self.operation(node) }
        entry.conditions = try conditions(keys["when"], of: entry)
        entry.tellsChanges = try keys["changes"].map { (node) throws(RuleError) in try node.bool() } ?? true
        entry.failures = try keys["failures"].map { (node) throws(RuleError) in try Self.failures(node) }
        entry.keepsHistory = try keys["history"].map { (node) throws(RuleError) in try node.bool() } ?? false
        entry.isRendered = try keys["render"].map { (node) throws(RuleError) in try node.bool() }
        entry.command = try keys["run"].map { (node) throws(RuleError) in try Self.command(node) }
        entry.webhook = try keys["webhook"].map { (node) throws(RuleError) in try Self.webhook(node) }
        return entry
    }

    // MARK: - Keys

    /// Returns the values of a mapping, all keys of which must be known.
    func mapping(
        _ node: RecipeNode,
        _ known: [String],
        _ what: String
    ) throws(RuleError) -> [String: RecipeNode] {
        guard case .mapping(let entries) = node.content else { throw node.fault("a mapping for \(what)") }
        var values: [String: RecipeNode] = [:]
        for entry in entries {
            guard known.contains(entry.key) else {
                throw RuleError(
                    .invalid,
                    "expected a key of \(what) (\(known.joined(separator: ", "))), found \"\(entry.key.prefix(40))\"",
                    at: entry.place
                )
            }
            // An empty value is treated as missing.
            if case .scalar(.null) = entry.value.content { continue }
            values[entry.key] = entry.value
        }
        return values
    }

    private func url(_ node: RecipeNode) throws(RuleError) -> WebURL {
        let text = try node.text("a URL or a path")
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let isURL = scheme.utf8.count < text.utf8.count && ["http", "https", "file"].contains(scheme)
        if !isURL, !text.contains("://"), let url = try? WebURL(filePath: Self.absolute(path(text))) {
            return url
        }
        guard let url = try? WebURL(text), ["http", "https", "file"].contains(url.scheme) else {
            // The message does not contain the text, which may have a password.
            throw RuleError(.invalid, "expected a URL of http, https or file, or a path", at: node.place)
        }
        return url
    }

    /// Returns an absolute path.
    fileprivate static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let working = unsafe getcwd(nil, 0) else { return "/\(path)" }
        defer { unsafe free(working) }
        return unsafe "\(String(cString: working))/\(path)"
    }

    /// Returns a path relative to the list's folder.
    private func path(_ name: String) -> String {
        name.hasPrefix("/") || folder == "." ? name : "\(folder)/\(name)"
    }

    private static func webhook(_ node: RecipeNode) throws(RuleError) -> WebURL {
        guard let url = try? WebURL(try node.text("a URL")), ["http", "https"].contains(url.scheme) else {
            // The message does not contain the text: whoever knows a webhook may use it.
            throw RuleError(.invalid, "expected a URL of http or https", at: node.place)
        }
        return url
    }

    private func subject(
        _ keys: [String: RecipeNode],
        _ subjects: [String]
    ) throws(RuleError) -> WatchEntry.Subject {
        let given = subjects.compactMap { key in keys[key].map { (key, $0) } }
        if given.count > 1 {
            let names = given.map { "\"\($0.0)\"" }.joined(separator: ", ")
            throw RuleError(.invalid, "expected one of \(names)", at: given[1].1.place)
        }
        guard let (key, node) = given.first else { return .page }
        switch key {
        case "select": return .selection(try Self.selector(try node.text("a selector"), node))
        case "recipe": return .recipe(try recipe(file: node))
        default: return .recipe(try recipe(fields: node))
        }
    }

    private static func selector(_ text: String, _ node: RecipeNode) throws(RuleError) -> Selector {
        do throws(SelectorError) {
            return try Selector(text)
        } catch {
            throw RuleError(.invalid, "selector: \(error.message)", at: node.place)
        }
    }

    private func recipe(file node: RecipeNode) throws(RuleError) -> Recipe {
        let name = try node.text("the path of a recipe")
        let path = path(name)
        let source: [UInt8]
        do throws(FileError) {
            source = try Recipe.source(ofFile: path)
        } catch {
            throw RuleError(.invalid, "\(path): \(error.reason)", at: node.place)
        }
        return try checked(try Recipe(parsing: source, file: path))
    }

    private func recipe(fields node: RecipeNode) throws(RuleError) -> Recipe {
        let text = JSONValue.object([.init("version", 1), .init("fields", node.json)])
        do throws(RuleError) {
            return try checked(try Recipe(parsing: text.serialized(sortingNames: false)))
        } catch {
            let rule = error.rule.map { "\($0): " } ?? ""
            throw RuleError(.invalid, rule + error.message, at: node.place)
        }
    }

    /// Checks that patterns and scripts compile, before anything is loaded.
    private func checked(_ recipe: Recipe) throws(RuleError) -> Recipe {
        try recipe.check()
        return recipe
    }

    private func options(_ keys: [String: RecipeNode]) throws(RuleError) -> PageDifference.Options {
        var options = PageDifference.Options()
        if let node = keys["visible"] { options.isVisibleOnly = try node.bool() }
        if let node = keys["ignore_attributes"] {
            options.ignoredAttributes = Set(
                try node.texts("names of attributes").map { $0.text.lowercased() }
            )
        }
        if let node = keys["ignore"] {
            for (text, place) in try node.texts("selectors") {
                options.ignoredSelectors.append(try Self.selector(text, place))
            }
        }
        if let node = keys["ignore_numbers"] { options.ignoredNumberDifference = try Self.tolerance(node) }
        guard let node = keys["ignore_text"] else { return options }
        for (text, place) in try node.texts("patterns") {
            do throws(TextPattern.Failure) {
                options.ignoredPatterns.append(try TextPattern(text))
            } catch {
                throw RuleError(.invalid, "pattern: \(error.description)", at: place.place)
            }
        }
        return options
    }

    private static func tolerance(_ node: RecipeNode) throws(RuleError) -> PageDifference.Tolerance {
        let tolerance: PageDifference.Tolerance? =
            switch node.content {
            case .scalar(.string(let text)): PageDifference.Tolerance(text)
            case .scalar(.integer(let number)): PageDifference.Tolerance("\(number)")
            case .scalar(.number(let number)): PageDifference.Tolerance("\(number)")
            default: nil
            }
        guard let tolerance else { throw node.fault("a number, as in 0.5 or 5%") }
        return tolerance
    }

    private static func failures(_ node: RecipeNode) throws(RuleError) -> Int {
        guard case .scalar(.integer(let count)) = node.content, 1...1000 ~= count else {
            throw node.fault("a whole number from 1 to 1000")
        }
        return Int(bounded: count)
    }

    private static func operation(_ node: RecipeNode) throws(RuleError) -> PageDifference.Operation {
        switch try node.text("\"added\" or \"removed\"") {
        case "added": return .added
        case "removed": return .removed
        default: throw node.fault("\"added\" or \"removed\"")
        }
    }

    /// Returns a program and its arguments; a text is the program alone, or is split at white space.
    private static func command(_ node: RecipeNode) throws(RuleError) -> [String] {
        let expected = "a program and its arguments, as in [sh, -c, \"…\"]"
        var words = try node.texts(expected).map(\.text)
        if case .scalar = node.content {
            words = words[0].split(whereSeparator: \.isWhitespace).map(String.init)
        }
        guard let program = words.first, !program.isEmpty,
            words.allSatisfy({ !$0.utf8.contains(0) })
        else { throw node.fault(expected) }
        return words
    }
}
