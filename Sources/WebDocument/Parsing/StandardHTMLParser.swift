/// The library's own HTML parser, as a ``PageParser``.
struct StandardHTMLParser: PageParser {
    let settings: ParsingSettings

    package func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(ParsingError) -> ParserResult {
        do throws(HTMLParserError) {
            if settings.notesTags { return try unsafe SourceTags.parse(utf8, self) }
            return try page(try unsafe HTMLParser.parse(utf8: utf8, options: options))
        } catch {
            throw Self.error(error, count: utf8.count)
        }
    }

    /// The parser's options.
    package var options: HTMLParser.Options {
        var options = HTMLParser.Options()
        options.maximumDepth = settings.limits.maximumDepth
        options.maximumNodes = settings.limits.maximumNodes
        options.maximumAttributes = settings.limits.maximumAttributes
        options.maximumTextLength = settings.limits.maximumTextLength
        options.maximumMemory = settings.limits.maximumTreeMemory
        options.reportsErrors = settings.reportsErrors
        options.interruption = settings.interruption
        return options
    }

    /// Converts the parser's result.
    package func page(_ parsed: ParsedHTML) throws(HTMLParserError) -> ParserResult {
        var page = ParserResult(document: Document(parsed))
        page.limits = reachedLimits(parsed.limits)
        page.errors = parsed.errors
        page.encodingDeclarations = parsed.encodingDeclarations
        if parsed.limits.stop == .cancelled { throw HTMLParserError(code: .cancelled) }
        return page
    }

    /// Converts the parser's error.
    static func error(_ error: HTMLParserError, count: Int) -> ParsingError {
        switch error.code {
        case .outOfMemory, .finished: .outOfMemory
        case .inputTooLarge: .inputTooLarge(count)
        case .cancelled: .cancelled
        }
    }

    private func reachedLimits(_ report: HTMLLimitsReport) -> [ReachedLimit] {
        let limits = settings.limits
        var reached: [ReachedLimit] = []
        switch report.stop {
        case .nodeLimit: reached.append(ReachedLimit(code: .nodes, limit: limits.maximumNodes, count: nil))
        case .memoryLimit(let bytes):
            reached.append(ReachedLimit(code: .memory, limit: bytes, count: nil))
        case .time: reached.append(limits.reachedTime)
        case .cancelled, nil: break
        }
        func add(_ code: ReachedLimit.Code, _ limit: Int, _ count: Int) {
            if count > 0 { reached.append(ReachedLimit(code: code, limit: limit, count: count)) }
        }
        add(.depth, limits.maximumDepth, report.flattenedElements)
        add(.attributes, limits.maximumAttributes, report.droppedAttributes)
        add(.text, limits.maximumTextLength, report.truncatedTextBytes)
        add(.formatting, HTMLFormattingElements.limit, report.droppedFormattingElements)
        return reached
    }
}

extension LoadLimits {
    /// The limit that is reported if the time for the load has run out.
    var reachedTime: ReachedLimit {
        ReachedLimit(code: .time, limit: Int(clampingMilliseconds: maximumSeconds ?? 0), count: nil)
    }
}

extension Int {
    /// Seconds as whole milliseconds.
    init(clampingMilliseconds seconds: Double) {
        self.init(bounded: (seconds * 1000).rounded())
    }
}
