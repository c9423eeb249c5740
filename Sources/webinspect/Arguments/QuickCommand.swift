import ArgumentParser

/// A command whose flags are all in tables, so that ``HotArguments`` reads its plainly written lines.
protocol QuickCommand: AsyncParsableCommand {
    /// Its tables, in the order in which they are applied.
    static var tables: [[CommandFlag]] { get }
    /// How many operands ArgumentParser takes.
    static var operandCount: ClosedRange<Int> { get }

    /// The operands and the flags that ArgumentParser has parsed, in the order of the tables.
    var operands: [String] { get }
    var given: [GivenFlags] { get }

    static func run(_ line: LineOptions) async throws(Failure) -> ExitStatus
}

extension QuickCommand {
    static var operandCount: ClosedRange<Int> { 1...1 }

    /// The options of the line that ArgumentParser has parsed.
    func line() throws(Failure) -> LineOptions { try LineOptions(operands, given) }
}
