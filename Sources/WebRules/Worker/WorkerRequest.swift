/// A request to a worker.
///
/// In the shared file: the length of the head in eight bytes, the head, and the body of the page as received.
/// Most of a request is the page, so each side copies it only once.
package enum WorkerRequest {
    /// Evaluates a recipe on a page.
    case run(Run)
    /// Continues with a page that the worker has requested.
    case page(Page)
    /// Continues without that page.
    case noPage(RuleError)

    package struct Run {
        var recipe: [UInt8]
        var file: String?
        var budget: Budget
        var notesProvenance: Bool
        /// Whether the worker reports what each rule did.
        var notesTrace: Bool
        var page: Page

        package init(
            recipe: [UInt8],
            file: String? = nil,
            budget: Budget,
            notesProvenance: Bool,
            notesTrace: Bool = false,
            page: Page
        ) {
            self.recipe = recipe
            self.file = file
            self.budget = budget
            self.notesProvenance = notesProvenance
            self.notesTrace = notesTrace
            self.page = page
        }
    }

    /// A page that is not parsed yet.
    package struct Page {
        /// The metadata of the page, in the format of the layer that parses it.
        package var description: [UInt8]
        package var body: [UInt8]
    }

    /// The request without the page's body.
    var head: [UInt8] {
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
            record.write(run.notesTrace)
            record.write(run.page.description)
        case .page(let page):
            record.write(1 as UInt8)
            record.write(page.description)
        case .noPage(let error):
            record.write(2 as UInt8)
            record.write(error)
        }
        return record.bytes
    }

    /// The page's body; empty where there is no page.
    var body: [UInt8] {
        switch self {
        case .run(let run): run.page.body
        case .page(let page): page.body
        case .noPage: []
        }
    }

    /// Reads a request.
    init(_ bytes: UnsafeRawBufferPointer) throws(RecordReader.Malformed) {
        var prefix = unsafe RecordReader(bytes.prefix(8))
        let count = try prefix.integer()
        guard count >= 0, count <= bytes.count - 8 else { throw RecordReader.Malformed() }
        var record = unsafe RecordReader(bytes[8..<8 + count])
        let body = unsafe bytes[(8 + count)...]
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
            let notesTrace = try record.flag()
            let page = unsafe Page(description: Array(try record.data()), body: [UInt8](body))
            self = .run(
                Run(
                    recipe: recipe,
                    file: file,
                    budget: budget,
                    notesProvenance: notesProvenance,
                    notesTrace: notesTrace,
                    page: page
                )
            )
        case 1: self = unsafe .page(Page(description: Array(try record.data()), body: [UInt8](body)))
        case 2: self = .noPage(try record.error())
        default: throw RecordReader.Malformed()
        }
    }
}
