/// A message from a worker about the evaluation of a recipe; each is sent as soon as it is known, so that the
/// results so far are kept if the worker is ended.
enum WorkerRecord {
    /// A page is parsed, and the budget runs from now on.
    case started
    /// A top-level field of the recipe has its value.
    case finished(field: String, value: JSONValue, provenance: [Provenance])
    /// The trace of a rule, by its index in the recipe, once its top-level field is finished.
    case traced(Int, RuleTrace.Entry)
    /// A rule failed, or the page drifted.
    case report(RuleError)
    /// A script logged a text.
    case log(String)
    /// A page is to be loaded, which the page with this number (0 is the first) links to; the next request
    /// contains it.
    case follow(String, from: Int)
    /// The run ended without an error.
    case done(RuleUsage)
    /// The run was ended by its budget.
    case exceeded(BudgetExceeded, RuleUsage)
    /// The run did not begin.
    case refused(RuleError)
}

extension WorkerRecord {
    /// The record as it is sent through the pipe: its length in four bytes, not counting these, then its
    /// bytes.
    var framed: [UInt8] {
        var record = RecordWriter()
        record.write(UInt32(0))
        write(into: &record)
        var bytes = record.bytes
        let count = UInt32(clamping: bytes.count - 4)
        for index in 0..<4 {
            bytes[index] = UInt8(truncatingIfNeeded: count >> UInt32(truncatingIfNeeded: 8 * index))
        }
        return bytes
    }

    private func write(into record: inout RecordWriter) {
        switch self {
        case .started: record.write(0 as UInt8)
        case .finished(let field, let value, let provenance):
            record.write(1 as UInt8)
            record.write(field)
            record.write(value)
            record.write(UInt32(clamping: provenance.count))
            for origin in provenance { record.write(origin) }
        case .report(let error):
            record.write(2 as UInt8)
            record.write(error)
        case .log(let text):
            record.write(3 as UInt8)
            record.write(text)
        case .follow(let url, from: let page):
            record.write(4 as UInt8)
            record.write(url)
            record.write(page)
        case .done(let usage):
            record.write(5 as UInt8)
            record.write(usage)
        case .exceeded(let exceeded, let usage):
            record.write(6 as UInt8)
            record.write(exceeded)
            record.write(usage)
        case .refused(let error):
            record.write(7 as UInt8)
            record.write(error)
        case .traced(let rule, let entry):
            record.write(8 as UInt8)
            record.write(rule)
            record.write(entry)
        }
    }

    /// Reads a record without its length; its values may take at most `valueLength` bytes as JSON.
    init(_ bytes: some Collection<UInt8>, valueLength: Int = .largestBounded) throws(RecordReader.Malformed) {
        var record = RecordReader(bytes, valueLength: valueLength)
        switch try record.byte() {
        case 0: self = .started
        case 1:
            let field = try record.text()
            let value = try record.value()
            var provenance: [Provenance] = []
            for _ in 0..<(try record.word()) { provenance.append(try record.provenance()) }
            self = .finished(field: field, value: value, provenance: provenance)
        case 2: self = .report(try record.error())
        case 3: self = .log(try record.text())
        case 4:
            let url = try record.text()
            self = .follow(url, from: try record.integer())
        case 5: self = .done(try record.usage())
        case 6:
            let exceeded = try record.exceeded()
            self = .exceeded(exceeded, try record.usage())
        case 7: self = .refused(try record.error())
        case 8:
            let rule = try record.integer()
            self = .traced(rule, try record.traceEntry())
        default: throw RecordReader.Malformed()
        }
        guard record.isAtEnd else { throw RecordReader.Malformed() }
    }
}

// MARK: - The parts

extension RecordWriter {
    mutating func write(_ error: RuleError) {
        write(error.code.rawValue)
        write(error.message)
        write(error.rule)
        write(error.file)
        write(error.line)
        write(error.column)
    }

    fileprivate mutating func write(_ exceeded: BudgetExceeded) {
        write(exceeded.code.rawValue)
        write(exceeded.rule)
        write(exceeded.allowed)
        write(exceeded.used)
    }

    /// Without the rule's name and line, which the process that requested the run knows.
    fileprivate mutating func write(_ entry: RuleTrace.Entry) {
        write(entry.evaluations)
        write(entry.nodes)
        write(entry.taken.sample())
        write(UInt32(clamping: entry.steps.count))
        for step in entry.steps {
            write(step.transform)
            write(step.value.sample())
        }
        write(entry.time.wholeNanoseconds)
        write(entry.memory)
    }

    fileprivate mutating func write(_ usage: RuleUsage) {
        write(usage.time.wholeNanoseconds)
        write(usage.memory?.bytes)
        write(usage.output.bytes)
        write(usage.pages)
    }

    fileprivate mutating func write(_ origin: Provenance) {
        write(origin.path)
        write(origin.rule)
        write(origin.node)
        write(origin.position?.line)
        write(origin.position?.column)
        write(origin.source)
    }
}

extension RecordReader {
    mutating func error() throws(Malformed) -> RuleError {
        let code = RuleError.Code(rawValue: try text())
        var error = RuleError(code, try text())
        error.rule = try optionalText()
        error.file = try optionalText()
        error.line = try optionalInteger()
        error.column = try optionalInteger()
        return error
    }

    fileprivate mutating func exceeded() throws(Malformed) -> BudgetExceeded {
        let limit = BudgetExceeded.Code(rawValue: try text())
        guard BudgetExceeded.Code.all.contains(limit) else { throw Malformed() }
        let rule = try optionalText()
        let allowed = try integer()
        return BudgetExceeded(limit, rule: rule, allowed: allowed, used: try integer())
    }

    fileprivate mutating func traceEntry() throws(Malformed) -> RuleTrace.Entry {
        var entry = RuleTrace.Entry()
        entry.evaluations = try integer()
        entry.nodes = try optionalInteger()
        entry.taken = try value()
        for _ in 0..<(try word()) {
            let transform = try text()
            entry.steps.append((transform, try value()))
        }
        entry.time = .nanoseconds(try long())
        entry.memory = try integer()
        return entry
    }

    fileprivate mutating func usage() throws(Malformed) -> RuleUsage {
        var usage = RuleUsage()
        usage.time = .nanoseconds(try long())
        usage.memory = try optionalInteger().map { .bytes($0) }
        usage.output = .bytes(try integer())
        usage.pages = try integer()
        return usage
    }

    fileprivate mutating func provenance() throws(Malformed) -> Provenance {
        let path = try text()
        let rule = try text()
        let node = try optionalText()
        let line = try optionalInteger()
        let column = try optionalInteger()
        return Provenance(
            path: path,
            rule: rule,
            node: node,
            position: line.map { SourcePosition(line: $0, column: column) },
            source: try text()
        )
    }
}

extension JSONValue {
    /// As much of the value as shows what it is, whatever its size: of texts, lists and objects the beginning.
    fileprivate func sample(depth: Int = 2) -> JSONValue {
        switch self {
        case .string(let text): return .string(text.prefix(scalars: Self.sampleLength))
        case .array(let items):
            guard depth > 0 else { return .string(kind) }
            return .array(items.prefix(Self.sampleCount).map { $0.sample(depth: depth - 1) })
        case .object(let members):
            guard depth > 0 else { return .string(kind) }
            return .object(
                members.prefix(Self.sampleCount).map {
                    Member($0.name.prefix(scalars: Self.sampleLength), $0.value.sample(depth: depth - 1))
                }
            )
        case .null, .bool, .integer, .number: return self
        }
    }

    private static var sampleLength: Int { 200 }
    private static var sampleCount: Int { 10 }
}
