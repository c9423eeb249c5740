import NIOHTTP1
import WebStandards

/// The routes of the app's port: the app itself, and the requests of its pages.
///
/// Each path has one function, in the file of its topic.
struct Router: Sendable {
    let catalogue: CatalogueThread
    let readers: ReaderPool
    let jobs: JobRunner
    let events: EventHub
    let loads: Loads
    let indexer: Indexer
    let views: Views
    /// The port of the views of stored pages.
    let viewPort: PortBox

    private var viewOrigin: String { "http://127.0.0.1:\(viewPort.port)" }

    /// Answers a request that was permitted.
    func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        do throws(ServeError) {
            guard request.path.hasPrefix("/api/") else {
                guard let file = AppFiles.answer(request.path, views: viewOrigin) else { throw Self.missing }
                return file
            }
            let name = String(request.path.dropFirst("/api/".count))
            if request.method == .POST { return try await changed(name, try request.json()) }
            return try await read(name, request)
        } catch {
            return .error(error)
        }
    }

    static let missing = ServeError(404, "http.path", "there is nothing at this path")

    // MARK: - Reading

    private func read(_ name: String, _ request: HTTPRequest) async throws(ServeError) -> HTTPAnswer {
        switch name {
        case "list": return .json(try await list(request))
        case "position": return .json(try await position(request))
        case "lists": return .json(try await lists())
        case "loads": return .json(loads.json)
        case "recipes": return .json(try await recipes())
        case "settings": return .json(try await catalogue.run { try $0.settings() })
        case "jobs": return .json(try await jobs.list())
        case "jobs/results": return .json(try await jobResults(request))
        case "events": return events.answer(beginningWith: [.init("beat", true)])
        default:
            guard name.hasPrefix("page/") else { throw Self.missing }
            return try await page(String(name.dropFirst("page/".count)), request)
        }
    }

    // MARK: - Changing

    private func changed(_ name: String, _ body: JSONValue) async throws(ServeError) -> HTTPAnswer {
        switch name {
        case "pages": return .json(try await load(body), status: 202)
        case "loads/cancel": loads.cancel(body["id"] == nil ? nil : try body.identifier())
        case "kept": return .json(try await kept(body))
        case "remove": return .json(try await remove(body))
        case "undo": return .json(try await undo(body))
        case "folds": try await setFold(body)
        case "view": return .json(try view(body, at: viewOrigin))
        case "run": return try run(body)
        case "explain", "check-recipe": return try await explain(name, body)
        case "recipes": try await putRecipe(body)
        case "recipes/delete": try await deleteRecipe(body)
        case "jobs": return .json(try await jobs.add(body))
        case "jobs/do": try await jobs.act(id: try body.identifier(), action: try body.member("do"))
        case "settings": try await setSettings(body)
        default:
            guard name == "lists" || name.hasPrefix("lists/") else { throw Self.missing }
            return .json(try await changeLists(String(name.dropFirst("lists/".count)), body))
        }
        return .json([:])
    }
}
