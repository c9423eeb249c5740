import Glibc
import WebLoader

/// Looks at what works on this machine.
struct Doctor {
    /// A check and its outcome.
    struct Check {
        enum Outcome: String {
            case works
            case missing
            case fails
        }

        let name: String
        let outcome: Outcome
        let detail: String
    }

    private(set) var checks: [Check] = []
    private let cacheDirectory: String?

    /// Nothing is looked at yet.
    init(cacheDirectory: String?) {
        self.cacheDirectory = cacheDirectory
    }

    /// Whether everything that has to work does.
    var isSuccessful: Bool { checks.allSatisfy { $0.outcome != .fails } }

    private mutating func add(_ name: String, _ outcome: Check.Outcome, _ detail: String) {
        checks.append(Check(name: name, outcome: outcome, detail: detail))
    }

    // MARK: - Installation

    /// The libraries, and what can be fetched with them.
    mutating func checkLibraries() {
        add("webinspect", .works, WebLoaderVersion.current)
        let problem = LibraryVersion.fetchingProblem
        for library in LibraryVersion.all {
            add(library.name, library.name == "libcurl" && problem != nil ? .fails : .works, library.version)
        }
        let codings = LibraryVersion.contentCodings
        add("content codings", codings.contains("gzip") ? .works : .missing, codings)
        let isEditing = LineEditor.isAvailable
        add(
            "libedit",
            isEditing ? .works : .missing,
            isEditing ? "edits the lines of a session" : "the lines of a session cannot be edited"
        )
    }

    /// Where settings come from.
    mutating func checkConfiguration() {
        do throws(Failure) {
            let places = try Configuration.places()
            add(
                "configuration",
                places.isEmpty ? .missing : .works,
                places.isEmpty ? "none" : places.joined(separator: ", ")
            )
        } catch {
            add("configuration", .fails, "\(error.subject): \(error.message)")
        }
    }

    /// The cache's directory: whether it can be read and written.
    mutating func checkCache() {
        guard let directory = cacheDirectory else {
            return add("cache", .fails, "neither $XDG_CACHE_HOME nor $HOME is set")
        }
        // Where there is none yet, it is made in the nearest folder that is there.
        var folder = directory
        while unsafe access(folder, F_OK) != 0, let slash = folder.lastIndex(of: "/"),
            slash != folder.startIndex
        {
            folder = String(folder[..<slash])
        }
        guard unsafe access(folder, R_OK | W_OK | X_OK) == 0 else {
            return add("cache", .fails, "\(directory): \(folder) is not readable and writable")
        }
        guard folder == directory else {
            return add("cache", .missing, "\(directory), created when it is needed")
        }
        var entries = 0
        var damaged = 0
        do throws(CacheBrowser.Failure) {
            try CacheBrowser(directory: directory).forEach(matching: nil) { finding in
                switch finding {
                case .entry: entries += 1
                case .damage: damaged += 1
                case .version, .note: break
                }
            }
        } catch {
            return add("cache", .fails, "\(error.path): \(error.reason)")
        }
        let damage = damaged == 0 ? "" : ", \(damaged) damaged (\"webinspect cache verify\")"
        add("cache", .works, "\(directory), \(entries) entries\(damage)")
    }

    // MARK: - The worker

    /// Whether rules run, and end: one honest rule, and an attack of each kind.
    mutating func checkWorker() async {
        let loader = PageLoader()
        let items = String(repeating: "<li><p>a</p></li>", count: 2_000)
        let page: Page
        do throws(LoadError) {
            page = try await loader.loadHTMLString("<title>T</title><ul>\(items)</ul>", baseURL: nil)
        } catch {
            return add("worker", .fails, error.message)
        }
        for attempt in DoctorAttempt.all {
            do throws(RuleError) {
                let recipe = try Recipe(parsing: attempt.recipe.serialized(), file: nil)
                let extraction = try await page.extract(recipe, budget: attempt.budget)
                add(attempt.name, attempt.isExpected(extraction) ? .works : .fails, Self.words(extraction))
            } catch {
                add(attempt.name, .fails, error.description)
                // Without a worker, each would say the same.
                if error.code == .unavailable { return }
            }
        }
    }

    private static func words(_ extraction: Extraction) -> String {
        let time = extraction.usage.time
        let milliseconds = TerminalText.milliseconds(time)
        if let failure = extraction.failure { return failure.description }
        if let exceeded = extraction.exceeded {
            return "ended after \(milliseconds): \(exceeded.code.rawValue)"
        }
        if let error = extraction.errors.first { return "refused: \(error.message)" }
        return "done in \(milliseconds)"
    }
}
