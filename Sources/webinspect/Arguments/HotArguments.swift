import WebLoader

/// A parser of plainly written lines that does without ArgumentParser, which takes longer to look at a
/// command's flags than a page takes to be parsed (docs/decisions/0001-start-up.md).
///
/// Lines that it does not understand are left to ArgumentParser, as are all mistakes. It understands names of
/// ``CommandFlag``s, written in full, each followed by its value.
enum HotArguments {
    /// Parses the arguments after the program's name; nil if ArgumentParser must parse them.
    ///
    /// - Throws: ``Failure`` for a value that the flag does not take, as it is thrown for ArgumentParser's lines.
    /// - Complexity: O(*a* × *f*) for *a* arguments and *f* flags of the command.
    static func read(
        _ arguments: [String]
    ) throws(Failure) -> (command: any QuickCommand.Type, line: LineOptions)? {
        var rest = arguments[...]
        let command: any QuickCommand.Type =
            switch rest.first {
            case "fetch": FetchCommand.self
            case "select": SelectCommand.self
            case "text": TextCommand.self
            case "extract": ExtractCommand.self
            default: InspectCommand.self
            }
        if command != InspectCommand.self || rest.first == "url" { rest.removeFirst() }
        var operands: [String] = []
        var tables = command.tables.map(GivenFlags.init)
        while let argument = rest.popFirst() {
            if argument == "-" || !argument.hasPrefix("-") {
                operands.append(argument)
            } else if !take(argument, &rest, into: &tables) {
                return nil
            }
        }
        guard command.operandCount.contains(operands.count) else { return nil }
        // The name of a command is not its source.
        if command == InspectCommand.self, operands.contains(where: RootCommand.subcommandNames.contains) {
            return nil
        }
        return (command, try LineOptions(operands, tables))
    }

    /// Takes a flag, and its value from the arguments behind it; false if ArgumentParser must.
    private static func take(
        _ name: String,
        _ rest: inout ArraySlice<String>,
        into tables: inout [GivenFlags]
    ) -> Bool {
        for table in tables.indices {
            for (index, flag) in tables[table].flags.enumerated() where flag.isNamed(name) {
                var value = ""
                switch flag.effect {
                case .flag: break
                case .value, .values, .number:
                    guard let next = rest.popFirst(), !next.hasPrefix("-") else { return false }
                    if case .number = flag.effect, Int(inBounds: next) == nil { return false }
                    value = next
                }
                tables[table].add(value, at: index)
                return true
            }
        }
        return false
    }
}
