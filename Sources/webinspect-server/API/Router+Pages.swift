import WebStandards

/// A stored page: the answers of readers about it, and its view.
extension Router {
    /// The questions about a page, with the maximum time of each in seconds.
    private static let questions: [String: Double] = [
        "report": 60, "tree": 30, "ancestors": 30, "source": 30, "text": 60, "tables": 30, "select": 30,
        "history": 60, "diff": 60,
    ]
    /// The maximum time to render a view, in seconds.
    private static let viewTime = 60.0

    /// Passes a question about a page to a reader, with all parameters.
    func page(_ name: String, _ request: HTTPRequest) async throws(ServeError) -> HTTPAnswer {
        guard let seconds = Self.questions[name] else { throw Self.missing }
        _ = try request.parameter("url")
        let members = request.parameters.filter { $0.key != "id" && $0.key != "do" }
            .map { JSONValue.Member($0.key, .string($0.value)) }
        let question = JSONValue.object([.init("do", .string(name))] + members)
        return .json(try await readers.ask(question, lane: .page, seconds: seconds).bytes)
    }

    /// Returns the URL of a page's view, or of a comparison of two of its versions.
    func view(_ body: JSONValue, at origin: String) throws(ServeError) -> JSONValue {
        let url = try body.member("url")
        guard IndexRow.isURL(url) else {
            throw ServeError(400, "url.invalid", "this is no URL of a kept page")
        }
        let isComparison = body["old"] != nil
        var members: [JSONValue.Member] = [
            .init("do", isComparison ? "diff-view" : "view"), .init("url", .string(url)),
        ]
        for name in isComparison ? ["old", "new"] : ["date", "mark", "at"] {
            switch body[name] {
            case nil, .null?: continue
            case .string(let text)? where text.utf8.count <= Self.longestText:
                members.append(.init(name, .string(text)))
            case .integer(let number)?: members.append(.init(name, .integer(number)))
            default: throw ServeError(400, "usage", "the member \(name) is none, or too long")
            }
        }
        return ["src": .string("\(origin)/view/\(views.ticket(for: .object(members)))")]
    }

    /// The maximum bytes of a selector or a date.
    private static let longestText = 16 << 10

    /// Answers a request to the port of views, which serves nothing but views.
    func answerView(_ request: HTTPRequest, app: String) async -> HTTPAnswer {
        do throws(ServeError) {
            guard let question = views.request(at: request.path) else { throw Self.missing }
            let answer = try await readers.ask(question, lane: .view, seconds: Self.viewTime)
            return Views.answer(answer.bytes, app: app)
        } catch {
            return Views.answer(error, app: app)
        }
    }
}
