/// What a worker is asked to do.
enum WorkerRequest {
    /// To evaluate a recipe on a page.
    case run(Run)
    /// To go on with a page that it has asked for.
    case page([UInt8])
    /// To go on without it.
    case noPage(RuleError)

    struct Run {
        var recipe: [UInt8]
        var file: String?
        var budget: Budget
        var notesProvenance: Bool
        /// The page, as the layer that parses it writes one.
        var page: [UInt8]
    }

    /// The request as it is put into the shared file.
    var bytes: [UInt8] {
        var record = RecordWriter()
        switch self {
        case .run(let run):
            record.write(0 as UInt8)
            record.write(run.recipe)
            record.write(run.file)
            record.write(run.budget.time.wholeNanoseconds)
            for number in [
                run.budget.memory.bytes, run.budget.output.bytes, run.budget.log.bytes, run.budget.pages,
                run.budget.depth,
            ] {
                record.write(number)
            }
            record.write(run.notesProvenance)
            record.write(run.page)
        case .page(let page):
            record.write(1 as UInt8)
            record.write(page)
        case .noPage(let error):
            record.write(2 as UInt8)
            record.write(error)
        }
        return record.bytes
    }

    /// Reads a request.
    init(_ bytes: UnsafeRawBufferPointer) throws(RecordReader.Malformed) {
        var record = unsafe RecordReader(bytes)
        switch try record.byte() {
        case 0:
            let recipe = Array(try record.data())
            let file = try record.optionalText()
            var budget = Budget(time: .nanoseconds(try record.long()), memory: .bytes(try record.integer()))
            budget.output = .bytes(try record.integer())
            budget.log = .bytes(try record.integer())
            budget.pages = try record.integer()
            budget.depth = try record.integer()
            let notesProvenance = try record.flag()
            let page = Array(try record.data())
            self = .run(
                Run(recipe: recipe, file: file, budget: budget, notesProvenance: notesProvenance, page: page)
            )
        case 1: self = .page(Array(try record.data()))
        case 2: self = .noPage(try record.error())
        default: throw RecordReader.Malformed()
        }
    }
}
