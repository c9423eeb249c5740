import WebLoader

/// The line that is written for an input.
struct PageAnswer: Sendable {
    /// As JSON.
    let id: [UInt8]
    var url: String?
    var status: Int?
    /// When an archive's page was captured.
    var date: Timestamp?
    var results: [(name: String, json: [UInt8])] = []
    var failure: Failure?
    /// The job that failed; nil if the page did.
    var failedJob: String?

    init(id: [UInt8], url: String? = nil) {
        self.id = id
        self.url = url
    }

    /// An answer to what could not be loaded or understood.
    init(id: [UInt8], url: String? = nil, status: Int? = nil, _ failure: Failure) {
        self.id = id
        self.url = url
        self.status = status
        self.failure = failure
    }

    /// The line, with its end.
    var line: [UInt8] {
        var object = JSONObjectWriter()
        object.add("id", json: id)
        object.add("url", JSONValue(url))
        if let date { object.add("date", .string(date.text)) }
        object.add("status", JSONValue(status))
        var results = JSONObjectWriter()
        for result in self.results { results.add(result.name, json: result.json) }
        object.add("results", json: results.written())
        if let failure {
            var members: [JSONValue.Member] = [
                .init("code", .string(failure.code)), .init("message", .string(failure.message)),
            ]
            if let failedJob { members.append(.init("job", .string(failedJob))) }
            object.add("error", json: JSONValue.object(members).serialized(sortingNames: false))
        }
        return object.written(isLine: true)
    }
}
