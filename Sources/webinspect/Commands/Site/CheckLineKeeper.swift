import WebLoader
import WebSite

/// A writer of a check's results, which are written before the check stores that they were reported.
final class CheckLineKeeper {
    private let report: CheckReport
    private let output: SiteOutput
    private let baseline: CheckBaseline?
    private let writesAtEnd: Bool
    private var bytes: [UInt8] = []
    /// The checker that stores the lines to be written at the end.
    var checker: SiteChecker?
    /// Why nothing could be written.
    private(set) var failure: Failure?

    /// Bytes that are gathered before they are written.
    private static let pieceLength = 1 << 16

    init(_ report: CheckReport, _ output: SiteOutput, _ baseline: CheckBaseline?, writesAtEnd: Bool) {
        self.report = report
        self.output = output
        self.baseline = baseline
        self.writesAtEnd = writesAtEnd
    }

    /// Takes a link; returns whether it counts as new.
    func add(_ link: CheckedLink) throws(StateError) -> Bool {
        var link = link
        link.isKnown = link.result == .broken && baseline?.has(link) == true
        if writesAtEnd {
            try checker?.keep(link.jsonLine, of: link)
        } else {
            bytes += report.line(link)
            if bytes.count >= Self.pieceLength { try flush() }
        }
        return !link.isKnown
    }

    /// Writes what was taken.
    func flush() throws(StateError) {
        guard !bytes.isEmpty else { return }
        do throws(Failure) {
            try output.add(bytes)
            try output.flush()
        } catch {
            failure = error
            throw StateError(.unwritable, error.message)
        }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Does something with the state, whose errors end the command.
    func attempt<Value>(_ body: () throws(StateError) -> Value) throws(Failure) -> Value {
        do throws(StateError) {
            return try body()
        } catch {
            throw failure ?? Failure(state: error)
        }
    }
}
