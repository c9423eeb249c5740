/// The library's own HTML parser, as a ``PageParser``.
struct StandardHTMLParser: PageParser {
    let limits: LoadLimits

    func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(ParsingError) -> ParsedPage {
        var options = HTMLParser.Options()
        options.maximumDepth = limits.maximumDepth
        options.maximumNodes = limits.maximumNodes
        let parsed: ParsedHTML
        do throws(HTMLParserError) {
            parsed = try unsafe HTMLParser.parse(utf8: utf8, options: options)
        } catch {
            switch error.code {
            case .outOfMemory, .finished: throw .outOfMemory
            case .inputTooLarge: throw .inputTooLarge(utf8.count)
            }
        }
        return ParsedPage(
            document: Document(parsed),
            warnings: warnings(parsed.limits),
            encodingDeclarations: parsed.encodingDeclarations
        )
    }

    private func warnings(_ report: HTMLLimitsReport) -> [String] {
        var warnings: [String] = []
        switch report.stop {
        case .nodeLimit:
            warnings.append("the rest of the page was left out after \(limits.maximumNodes) nodes")
        case .cancelled: warnings.append("parsing was stopped early")
        case nil: break
        }
        if report.flattenedElements > 0 {
            warnings.append(
                "\(report.flattenedElements) elements deeper than \(limits.maximumDepth) were put beside their parents"
            )
        }
        if report.droppedAttributes > 0 {
            warnings.append("\(report.droppedAttributes) attributes were left out, too many on one element")
        }
        if report.truncatedTextBytes > 0 {
            warnings.append("\(report.truncatedTextBytes) bytes of overlong text were left out")
        }
        if report.droppedFormattingElements > 0 {
            warnings.append("\(report.droppedFormattingElements) formatting elements were not reopened")
        }
        return warnings
    }
}
