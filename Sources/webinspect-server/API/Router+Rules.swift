import WebStandards

/// The playground: rules to try, and stored recipes.
extension Router {
    /// Seconds beyond the budget of the rules, which loading and parsing the page take.
    private static let spareTime = 30.0
    /// The maximum bytes of a recipe.
    private static let longestRecipe = Catalogue.mostMemory.recipe

    /// Runs rules, and sends the used part of the budget as they run: a line of JSON each, the last with the result.
    func run(_ body: JSONValue) throws(ServeError) -> HTTPAnswer {
        let question = try Self.question("run", body, copying: ["time_ms", "memory_bytes", "date"])
        guard case .integer(let budget)? = body["time_ms"], (1...60_000).contains(budget) else {
            throw ServeError(400, "usage", "the member time_ms has to be 1 to 60000")
        }
        let seconds = Double(budget) / 1000 + Self.spareTime
        let readers = readers
        return HTTPAnswer(
            type: HTTPAnswer.linesType,
            body: .stream { stream in
                let (lines, continuation) = AsyncStream<[UInt8]>.makeStream(
                    bufferingPolicy: .bufferingNewest(64)
                )
                let asking = Task {
                    do throws(ServeError) {
                        let answer = try await readers.ask(question, lane: .run, seconds: seconds) { event in
                            continuation.yield(Self.line("event", event))
                        }
                        continuation.yield(Self.line("answer", answer.bytes))
                    } catch {
                        continuation.yield(Self.line("error", error.json))
                    }
                    continuation.finish()
                }
                // A client that no longer listens has changed the rules, or disconnected: the run ends.
                defer { asking.cancel() }
                for await line in lines {
                    guard await stream.send(line) else { return }
                }
            }
        )
    }

    private static func line(_ name: String, _ json: [UInt8]) -> [UInt8] {
        Array("{\"\(name)\":".utf8) + json + Array("}\n".utf8)
    }

    /// Returns what each rule of a recipe does, or the error in the recipe.
    func explain(_ name: String, _ body: JSONValue) async throws(ServeError) -> HTTPAnswer {
        let question = try Self.question(name, body, copying: ["date"])
        return .json(try await readers.ask(question, lane: .run, seconds: Self.spareTime).bytes)
    }

    private static func question(
        _ name: String,
        _ body: JSONValue,
        copying names: [String]
    ) throws(ServeError) -> JSONValue {
        let recipe = try body.member("recipe")
        guard recipe.utf8.count <= longestRecipe else {
            throw ServeError(413, "limit.recipe", "a recipe has at most \(longestRecipe) bytes")
        }
        var members: [JSONValue.Member] = [
            .init("do", .string(name)), .init("recipe", .string(recipe)),
            .init("url", .string(body["url"]?.string ?? "")),
        ]
        for name in names {
            if let value = body[name] { members.append(.init(name, value)) }
        }
        return .object(members)
    }

    // MARK: - Recipes

    func recipes() async throws(ServeError) -> JSONValue {
        let recipes = try await catalogue.run { try $0.recipes() }
        return [
            "recipes": .array(
                recipes.map {
                    ["name": .string($0.name), "text": .string($0.text), "changed_ms": .integer($0.changed)]
                }
            )
        ]
    }

    func putRecipe(_ body: JSONValue) async throws(ServeError) {
        let (name, text) = (try body.member("name"), try body.member("text"))
        let now = Timestamp.now.millisecondsSince1970
        try await catalogue.run { try $0.putRecipe(name: name, text: text, now: now) }
        events.send("recipes", true)
    }

    func deleteRecipe(_ body: JSONValue) async throws(ServeError) {
        let name = try body.member("name")
        try await catalogue.run { try $0.deleteRecipe(name: name) }
        events.send("recipes", true)
    }

    // MARK: - Jobs

    func jobResults(_ request: HTTPRequest) async throws(ServeError) -> JSONValue {
        guard let id = Int(inBounds: try request.parameter("id")) else {
            throw ServeError(400, "usage", "the parameter id has to be a whole number")
        }
        let from = request.number("from", default: 0, in: 0...Int(Int32.max))
        let count = request.number("count", default: 100, in: 0...1000)
        return try await jobs.results(
            id: Int64(id),
            from: from,
            count: count,
            result: request.parameters["result"]
        )
    }
}
