/// The values that a line has for each flag of a table.
struct GivenFlags {
    let flags: [CommandFlag]
    private(set) var values: [[String]]

    init(_ flags: [CommandFlag]) {
        self.flags = flags
        values = Array(repeating: [], count: flags.count)
    }

    /// Adds a value to a flag's, or replaces it where only the last one counts.
    mutating func add(_ value: String, at index: Int) {
        if case .values = flags[index].effect {
            values[index].append(value)
        } else {
            values[index] = [value]
        }
    }
}

/// The options of a line for a command, whoever has read it.
struct LineOptions: Equatable {
    var operands: [String]
    var loading = LoadingOptions()
    var inspect = InspectOptions()
    var fetch = FetchOptions()
    var select = SelectOptions()
    var text = TextOptions()
    var links = LinksOptions()
    var tables = TablesOptions()
    var extract = ExtractOptions()
    var site = SiteOptions()
    var jobs = JobOptions()
    var batch = BatchOptions()

    /// Applies flags in the order of their tables, which is that of the errors too.
    init(_ operands: [String], _ tables: [GivenFlags]) throws(Failure) {
        self.operands = operands
        for table in tables {
            for (flag, values) in zip(table.flags, table.values) {
                for value in values { try flag.apply(value, to: &self) }
            }
        }
    }

    /// The source of a command that takes one, which is its last operand.
    var source: String { operands.last ?? "" }
}
