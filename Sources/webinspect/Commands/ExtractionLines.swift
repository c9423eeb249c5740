import WebLoader

/// Answers lines of JSON, each a request for a page, with lines of JSON.
enum ExtractionLines {
    /// Answers standard input's lines, in order, as soon as each arrives.
    static func answer(with extractor: Extractor) async throws(Failure) {
        var input = LineReader()
        while let lines = try input.next() {
            for line in lines where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
                let answer = await answer(line, extractor)
                try Output.write(answer.serialized(sortingNames: false) + [0x0A])
            }
        }
    }

    private static func answer(_ line: ArraySlice<UInt8>, _ extractor: Extractor) async -> JSONValue {
        let request: JSONValue
        do throws(JSONValue.ParsingError) {
            request = try JSONValue(parsing: line)
        } catch {
            return failure(.null, "not JSON: column \(error.column): \(error.message)")
        }
        let id = JSONValue.Member("id", request["id"] ?? .null)
        switch (request["url"], request["html"]) {
        case (.string(let url)?, nil):
            // "-" would be this same input.
            guard url != "-" else { return failure(id.value, "\"-\" is not a source for a line") }
            return await extractor.line(id, url).json
        case (nil, .string(let html)?):
            return await extractor.line([id]) { () async throws(Failure) in
                try await extractor.extract(html: html, baseURL: request["base_url"]?.string)
            }.json
        default: return failure(id.value, "expected \"url\" or \"html\", a string")
        }
    }

    private static func failure(_ id: JSONValue, _ message: String) -> JSONValue {
        let error = JSONValue.object([.init("code", "usage"), .init("message", .string(message))])
        return .object([.init("id", id), .init("error", error)])
    }
}
