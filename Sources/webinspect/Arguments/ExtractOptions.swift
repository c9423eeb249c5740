import WebLoader

/// The options of `extract`, besides those of every command that parses a page.
struct ExtractOptions: Equatable {
    /// The recipe's file.
    var recipe: String?
    /// Fields as "NAME=SELECTOR".
    var assignments: [String] = []
    var writesLines = false
    var readsLines = false
    var notesProvenance = false
    /// Whether the recipe is evaluated in this process.
    var isInProcess = false
    /// How many pages a worker serves; nil for one, and for a hundred of an archive.
    var workerReuse: Int?
    var budgetTime = Budget().time
    var budgetMemory = Budget().memory

    var budget: Budget { Budget(time: budgetTime, memory: budgetMemory) }

    /// Where the recipe is evaluated, and what is noted of it.
    var extraction: ExtractionOptions {
        var extraction = ExtractionOptions()
        extraction.isolation = isInProcess ? .none : .worker
        extraction.notesProvenance = notesProvenance
        return extraction
    }

    /// Parses seconds as ``LoadingOptions/seconds(_:)``, into a duration.
    static func time(_ text: String) throws(Failure) -> Duration {
        Duration(boundedSeconds: try LoadingOptions.seconds(text))
    }

    /// Reads the recipe, within the time limit of a load if its file is a pipe.
    func makeRecipe(_ options: LoadingOptions) throws(Failure) -> Recipe {
        let source: [UInt8]
        if let recipe {
            source = try Self.bytes(of: recipe, within: options.maximumTime)
        } else {
            source = try FieldAssignment.recipe(assignments)
        }
        do throws(RuleError) {
            return try Recipe(parsing: source, file: recipe)
        } catch {
            throw Failure(error)
        }
    }

    /// The contents of a recipe's file; nil seconds are the default time limit of a load.
    static func bytes(of file: String, within seconds: Double? = nil) throws(Failure) -> [UInt8] {
        do throws(FileError) {
            return try Recipe.source(ofFile: file, within: seconds ?? LoadLimits().maximumSeconds)
        } catch {
            throw Failure(
                subject: file,
                error.reason,
                code: error.code.rawValue,
                status: ExitStatus(error.code)
            )
        }
    }

    /// Throws if the flags cannot be combined.
    func check(_ sources: [String], _ options: LoadingOptions) throws(Failure) {
        if recipe == nil, assignments.isEmpty {
            throw Failure(usage: "extract", "expects -r RECIPE or -e NAME=SELECTOR")
        }
        if recipe != nil, !assignments.isEmpty { throw Failure(usage: "-e", "not together with -r") }
        if readsLines {
            guard sources.isEmpty else {
                throw Failure(usage: "--stdin-jsonl", "reads its sources from standard input")
            }
            if options.takesAllPages { throw Failure(usage: "--all", "not together with --stdin-jsonl") }
        } else if options.takesAllPages {
            guard sources.isEmpty else { throw Failure(usage: "--all", "not together with a source") }
            guard writesLines else { throw Failure(usage: "--all", "expects --jsonl") }
        } else if sources.isEmpty {
            throw Failure(usage: "extract", "expects a source, or --stdin-jsonl")
        } else if sources.count > 1, !writesLines {
            throw Failure(usage: "extract", "expects one source, or several with --jsonl")
        }
        if let workerReuse, workerReuse < 1 {
            throw Failure(usage: "--worker-reuse \(workerReuse)", "not a number above 0")
        }
    }
}
