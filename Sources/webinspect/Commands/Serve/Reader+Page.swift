import WebLoader

/// Requests for the contents of a page.
extension Reader {
    /// The maximum number of Unicode scalar values of a line, or of a cell of a table.
    private static let maximumLength = 4096

    /// Returns everything found on a page, as in `webinspect URL --findings --json`, and what the cache would
    /// do with it now.
    func report(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let url = try request.url()
        var options = options
        options.archiveDate = try request.date()
        // That is slower, and takes memory: pages that are kept here are without.
        options.reportsParseErrors = true
        let page = try await options.load(url, with: try options.loader())
        let parsed = try await page.parsed(for: url)
        parsed.shareAllowance()
        var inspect = InspectOptions()
        inspect.looksForFindings = true
        let report = try await InspectCommand.report(page, parsed, url, inspect, nil)
        var object = JSONObjectWriter()
        object.add("freshness", options.archiveDate == nil ? freshness(page.response.url) : [:])
        object.add("report", json: report.document())
        return .bytes(object.written())
    }

    /// Returns the freshness of the newest response, as in `webinspect cache show --json`.
    private func freshness(_ url: WebURL) -> JSONValue {
        guard case .entry(let entry) = browser.lookUp(url) else { return [:] }
        let details = CacheReport.details(entry, url, .now)
        return .object(
            ["received_ms", "fresh_for_s", "age_s", "use"].compactMap { name in
                details[name].map { JSONValue.Member(name, $0) }
            }
        )
    }

    /// Returns the main text as Markdown; empty if the page has no text.
    func text(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let text = try await page(request).parsed.mainText
        return .json([
            "markdown": .string(text?.markdown ?? ""), "words": JSONValue(text?.wordCount ?? 0),
            "found": .bool(text?.text.isEmpty == false),
        ])
    }

    /// Lines of the source, which end as HTML has them: LF, CR and LF, or CR.
    func source(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let page = try await page(request).parsed
        guard let source = page.source else {
            throw Failure(
                subject: try request.url(),
                "\(page.mediaType.essence) is no text",
                code: "parse.kind",
                status: .content
            )
        }
        let first = request.integer("line", default: 1, in: 1...Int.largestBounded)
        let count = request.integer("count", default: 200, in: 0...2000)
        let bytes = Array(source.utf8)
        var lines: [JSONValue] = []
        var total = 0
        var start = 0
        while start <= bytes.count {
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            total += 1
            if total >= first, lines.count < count {
                // No scalar has more than four bytes.
                let line = String(decoding: bytes[start..<end].prefix(4 * Self.maximumLength), as: UTF8.self)
                lines.append(.string(line.prefix(scalars: Self.maximumLength)))
            }
            let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
            start = end + (isPair ? 2 : 1)
        }
        return .json(["total_lines": JSONValue(total), "lines": .array(lines)])
    }

    // MARK: - Tables

    /// The maximum number of columns of a table.
    private static let maximumColumns = 1000

    /// Rows of a table, by its number from 0, with its last header row as the names of the columns.
    func tables(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let tables = try await page(request).parsed.tables
        let number = request.integer("table", default: 0, in: 0...Int.largestBounded)
        guard tables.indices.contains(number) else {
            throw Failure(input: "the page has no table \(number)", code: "input.form")
        }
        let table = tables[number]
        let header = table.headerRowCount
        let total = max(0, table.rowCount - header)
        let from = request.integer("from", default: 0, in: 0...total)
        let count = request.integer("count", default: 100, in: 0...1000)
        let width = min(table.columnCount, Self.maximumColumns)
        var columns = [String](repeating: "", count: width)
        let rows = header + from..<header + min(total, from + count)
        var texts = [[String]](repeating: columns, count: rows.count)
        for cell in table.cells where cell.column < width {
            if rows.contains(cell.row) {
                texts[cell.row - rows.lowerBound][cell.column] = cell.text.prefix(scalars: Self.maximumLength)
            } else if cell.row < header, cell.row + cell.rowSpan >= header {
                for column in cell.column..<min(width, cell.column + cell.columnSpan) {
                    columns[column] = cell.text.prefix(scalars: Self.maximumLength)
                }
            }
        }
        return .json([
            "columns": .array(columns.map(JSONValue.string)), "total": JSONValue(total),
            "rows": .array(texts.map { .array($0.map(JSONValue.string)) }),
        ])
    }
}
