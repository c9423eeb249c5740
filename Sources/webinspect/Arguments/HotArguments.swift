import WebLoader

/// Parses simple command lines without ArgumentParser, which takes longer to process the flags that a command
/// declares than a page takes to be parsed (docs/decisions/0001-start-up.md).
///
/// A line with unknown flags or possible errors is not handled here: ArgumentParser then parses the whole
/// line again, and reports the errors. A test checks that both give the same results.
enum HotArguments {
    /// A parsed command line.
    enum Command: Equatable {
        case inspect(LoadingOptions, source: String)
        case fetch(LoadingOptions, FetchOptions)
        case select(LoadingOptions, SelectOptions)
        case text(LoadingOptions, TextOptions)
        case extract(LoadingOptions, ExtractOptions)
    }

    /// Parses the arguments after the program's name; nil if ArgumentParser must parse them.
    static func read(_ arguments: some Collection<String>) -> Command? {
        var rest = Array(arguments)[...]
        if rest.first == "select" { return readSelect(rest.dropFirst()) }
        if rest.first == "text" { return readText(rest.dropFirst()) }
        if rest.first == "extract" { return readExtract(rest.dropFirst()) }
        let isFetch = rest.first == "fetch"
        if isFetch || rest.first == "url" { rest.removeFirst() }
        var options = LoadingOptions()
        var request = FetchOptions(url: "")
        var source: String?
        while let argument = rest.popFirst() {
            if set(argument, in: &options) { continue }
            if argument == "-" || !argument.hasPrefix("-") {
                // A second source is an error, and so is a command's name in place of a source.
                guard source == nil, isFetch || !RootCommand.subcommandNames.contains(argument) else {
                    return nil
                }
                source = argument
                continue
            }
            guard let value = rest.popFirst(), !value.hasPrefix("-") else { return nil }
            switch argument {
            case "-X" where isFetch, "--method" where isFetch: request.method = value
            case "-d" where isFetch, "--data" where isFetch: request.data = value
            default:
                guard
                    set(argument, to: value, in: &options)
                        || !isFetch && setContent(argument, to: value, in: &options)
                else { return nil }
            }
        }
        guard let source else { return nil }
        request.url = source
        return isFetch ? .fetch(options, request) : .inspect(options, source: source)
    }

    /// Parses the arguments of `select`; nil if ArgumentParser must parse them.
    private static func readSelect(_ arguments: ArraySlice<String>) -> Command? {
        var rest = arguments
        var options = LoadingOptions()
        var select = SelectOptions()
        var operands: [String] = []
        var forms = 0
        do throws(Failure) {
            while let argument = rest.popFirst() {
                if set(argument, in: &options) || set(argument, in: &select, &forms) { continue }
                if argument == "-" || !argument.hasPrefix("-") {
                    operands.append(argument)
                    continue
                }
                guard let value = rest.popFirst(), !value.hasPrefix("-") else { return nil }
                switch argument {
                case "-e": select.queries.append(try SelectOptions.Query(assignment: value))
                case "-a", "--attribute":
                    select.form = .attribute(value)
                    forms += 1
                case "--namespace": select.namespaces.append(value)
                case "--budget-time": select.budgetTime = try LoadingOptions.seconds(value)
                default:
                    guard
                        set(argument, to: value, in: &options)
                            || setContent(argument, to: value, in: &options)
                    else { return nil }
                }
            }
            guard forms <= 1 else { return nil }
            try select.set(operands: operands)
            return .select(options, select)
        } catch {
            // ArgumentParser finds the same error in the line, and reports it.
            return nil
        }
    }

    /// Parses the arguments of `text`; nil if ArgumentParser must parse them.
    private static func readText(_ arguments: ArraySlice<String>) -> Command? {
        var rest = arguments
        var options = LoadingOptions()
        var text = TextOptions()
        var source: String?
        while let argument = rest.popFirst() {
            if set(argument, in: &options) { continue }
            switch argument {
            case "--markdown": text.isMarkdown = true
            case "--all": text.isWhole = true
            case let name where name == "-" || !name.hasPrefix("-"):
                guard source == nil else { return nil }
                source = name
            default:
                guard let value = rest.popFirst(), !value.hasPrefix("-"),
                    set(argument, to: value, in: &options) || setContent(argument, to: value, in: &options)
                else { return nil }
            }
        }
        guard let source else { return nil }
        text.source = source
        return .text(options, text)
    }

    /// Parses the arguments of `extract`; nil if ArgumentParser must parse them.
    private static func readExtract(_ arguments: ArraySlice<String>) -> Command? {
        var rest = arguments
        var options = LoadingOptions()
        var extract = ExtractOptions()
        do throws(Failure) {
            while let argument = rest.popFirst() {
                if set(argument, in: &options) { continue }
                switch argument {
                case "--jsonl": extract.writesLines = true
                case "--stdin-jsonl": extract.readsLines = true
                case "--provenance": extract.notesProvenance = true
                case "--no-worker": extract.isInProcess = true
                case let source where source == "-" || !source.hasPrefix("-"): extract.sources.append(source)
                default:
                    guard let value = rest.popFirst(), !value.hasPrefix("-") else { return nil }
                    switch argument {
                    case "-r", "--recipe": extract.recipe = value
                    case "-e": extract.assignments.append(value)
                    case "--budget-time": extract.budgetTime = try ExtractOptions.time(value)
                    case "--budget-memory": extract.budgetMemory = .bytes(try LoadingOptions.size(value))
                    case "--worker-reuse":
                        guard let count = Int(inBounds: value) else { return nil }
                        extract.workerReuse = count
                    default:
                        guard
                            set(argument, to: value, in: &options)
                                || setContent(argument, to: value, in: &options)
                        else { return nil }
                    }
                }
            }
            return .extract(options, extract)
        } catch {
            // ArgumentParser finds the same error in the line, and reports it.
            return nil
        }
    }

    private static func set(_ flag: String, in select: inout SelectOptions, _ forms: inout Int) -> Bool {
        switch flag {
        case "--xpath": select.isXPath = true
        case "-t", "--text": forms += 1
        case "--html":
            select.form = .html
            forms += 1
        case "--path":
            select.form = .path
            forms += 1
        case "-1", "--first": select.takesFirst = true
        case "--count": select.counts = true
        case "--jsonl": select.writesLines = true
        case "--strict": select.isStrict = true
        default: return false
        }
        return true
    }

    /// Sets the option of a flag without a value; false if there is no such flag.
    private static func set(_ flag: String, in options: inout LoadingOptions) -> Bool {
        switch flag {
        case "--json": options.json = true
        case "--cache-only", "--offline": options.policies.append(.returnCacheDataDontLoad)
        case "--prefer-cache": options.policies.append(.returnCacheDataElseLoad)
        case "--refresh": options.policies.append(.reloadIgnoringLocalCacheData)
        case "--revalidate": options.policies.append(.reloadRevalidatingCacheData)
        case "--no-store": options.storesResponse = false
        case "--keep": options.keepsForOfflineUse = true
        case "--no-location": options.followsRedirects = false
        case "-f", "--fail": options.failsOnHTTPError = true
        case "-s", "--silent": options.isSilent = true
        case "-v", "--verbose": options.isVerbose = true
        case "--explain": options.explains = true
        default: return false
        }
        return true
    }

    /// Sets the option of a flag with a value; false if there is no such flag, or the value is invalid for
    /// it.
    private static func set(_ flag: String, to value: String, in options: inout LoadingOptions) -> Bool {
        do throws(Failure) {
            switch flag {
            case "--policy": options.policies.append(try LoadingOptions.policy(value))
            case "--cache-dir": options.cacheDirectory = value
            case "-H", "--header": options.headers.append(value)
            case "-A", "--user-agent": options.userAgent = value
            case "--max-redirs":
                guard let count = Int(inBounds: value) else { return false }
                options.maximumRedirects = count
            case "--timeout": options.timeout = try LoadingOptions.seconds(value)
            case "--connect-timeout": options.connectTimeout = try LoadingOptions.seconds(value)
            case "-m", "--max-time": options.maximumTime = try LoadingOptions.seconds(value)
            case "--max-filesize": options.maximumFileSize = try LoadingOptions.size(value)
            case "-o", "--output": options.output = value
            default: return false
            }
            return true
        } catch {
            // ArgumentParser finds the same error in the line, and reports it.
            return false
        }
    }

    /// Sets the option of a flag about type, encoding and parsing; false as above for loading flags.
    private static func setContent(_ flag: String, to value: String, in options: inout LoadingOptions) -> Bool
    {
        switch flag {
        case "--base-url": options.baseURL = value
        case "--mime": options.mimeType = value
        case "--encoding": options.encoding = value
        case "--parser":
            guard let parser = HTMLParserKind(rawValue: value) else { return false }
            options.parser = parser
        default: return false
        }
        return true
    }
}
