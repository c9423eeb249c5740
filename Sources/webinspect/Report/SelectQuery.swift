import WebLoader

/// A selector or an expression of the line, read, with the name to give its matches.
struct SelectQuery {
    private enum Language {
        case css(Selector)
        case xpath(XPathExpression)
    }

    let query: SelectOptions.Query
    private let language: Language

    /// Reads all of the line.
    static func prepare(_ options: SelectOptions) throws(Failure) -> [SelectQuery] {
        let namespaces = try options.namespaceTable()
        var queries: [SelectQuery] = []
        for query in options.queries { queries.append(try SelectQuery(query, options, namespaces)) }
        return queries
    }

    private init(
        _ query: SelectOptions.Query,
        _ options: SelectOptions,
        _ namespaces: [String: String]
    ) throws(Failure) {
        self.query = query
        if options.isXPath {
            do throws(SelectorError) {
                language = .xpath(try XPathExpression(query.text, namespaces: namespaces))
            } catch {
                throw Failure(error, selector: query.text)
            }
        } else {
            var reading = Selector.Options()
            reading.dialect = options.isStrict ? .standard : .extended
            reading.namespaces = namespaces
            do throws(SelectorError) {
                language = .css(try Selector(query.text, options: reading))
            } catch {
                throw Failure(error, selector: query.text)
            }
        }
    }

    /// Evaluates the query in a document; the matches are stored as far as the budget allows.
    func evaluate(
        _ document: Document,
        _ options: SelectOptions,
        _ budget: InspectionBudget
    ) throws(Failure) -> SelectionResult {
        var result = SelectionResult(query)
        let budget = options.counts ? nil : budget
        switch language {
        case .css(let selector):
            do throws(SelectorError) {
                if options.takesFirst, !options.counts, selector.extractions == [.element] {
                    if let node = try document.querySelector(selector) { result.add(.node(node)) }
                } else {
                    for (node, extraction) in try document.documentNode.matches(of: selector) {
                        if extraction == .element {
                            result.add(.node(node), budget)
                        } else {
                            for value in extraction.values(of: node) {
                                result.add(.value(value, of: node), budget)
                            }
                        }
                    }
                }
            } catch {
                throw Failure(error, selector: query.text)
            }
        case .xpath(let expression):
            do throws(SelectorError) {
                switch try document.evaluate(expression) {
                case .nodes(let nodes):
                    // All of them are in memory while some are kept.
                    let hasRoom =
                        budget?.spendOptional(size: nodes.count *| MemoryLayout<XPathNode>.stride) ?? false
                    for node in nodes { result.add(SelectionResult.Item(node), hasRoom ? budget : nil) }
                case .string(let text): result.add(.scalar(.string(text), text))
                case .number(let number): result.add(.scalar(.number(number), Self.text(number)))
                case .boolean(let isTrue): result.add(.scalar(.bool(isTrue), isTrue ? "true" : "false"))
                }
            } catch {
                throw Failure(error, selector: query.text)
            }
        }
        if options.takesFirst { result.takeFirst() }
        return result
    }

    /// How many elements match, part by part; nothing for XPath.
    func explanation(_ document: Document) throws(Failure) -> [String] {
        guard case .css(let selector) = language else { return [] }
        var lines: [String] = []
        do throws(SelectorError) {
            for prefixes in selector.prefixes {
                let width = prefixes.map(\.count).max() ?? 0
                var hasStopped = false
                for prefix in prefixes {
                    let part = try Selector(prefix, options: selector.options)
                    let count = try document.querySelectorAll(part).count
                    let padding = String(repeating: " ", count: width - prefix.count)
                    let stop = count == 0 && !hasStopped ? "   nothing matches from here on" : ""
                    hasStopped = hasStopped || count == 0
                    lines.append("* \(prefix)\(padding)  \(count)\(stop)")
                }
            }
        } catch {
            throw Failure(error, selector: query.text)
        }
        return lines
    }

    /// A number as XPath writes it: integers without a fraction.
    private static func text(_ number: Double) -> String {
        if let integer = Int64(exactly: number) { return "\(integer)" }
        return number.isNaN ? "NaN" : number.isFinite ? "\(number)" : number < 0 ? "-Infinity" : "Infinity"
    }
}

extension Failure {
    /// As much of a selector as fits a line.
    private static func excerpt(_ text: String) -> String {
        text.utf8.count <= 100 ? text : "\(text.prefix(60))…"
    }

    init(_ error: SelectorError, selector: String) {
        self.init(
            subject: Self.excerpt(selector),
            error.message,
            code: error.code.rawValue,
            status: ExitStatus(error.code)
        )
    }
}
