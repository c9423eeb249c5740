import Glibc
import WebLoader

/// The output of a command that writes line by line: at once to standard output, or to a file that is
/// replaced as a whole.
///
/// Little is buffered, however much is written.
final class SiteOutput {
    private let path: String?
    private let isStyled: Bool
    private var bytes: [UInt8] = []
    private var file: OutputPlace.Replacement?
    private let maximumTime: Double?

    /// Bytes that are gathered before they are written.
    private static let pieceLength = 1 << 16

    /// Begins the output.
    ///
    /// - Parameters:
    ///   - path: The file that is written; nil and "-" for standard output.
    ///   - isStyled: Whether it is text with styles of ``Terminal``.
    ///   - maximumTime: The seconds that the command has, after which it does not wait for a stalled reader of
    ///     a pipe; `nil` for no limit.
    /// - Throws: ``Failure`` if the file cannot be written.
    init(_ path: String?, isStyled: Bool = false, maximumTime: Double? = nil) throws(Failure) {
        self.maximumTime = maximumTime
        let path = path == "-" ? nil : path
        self.path = path
        self.isStyled = isStyled
        guard let path else {
            // The reader may never read the lines: limit the wait, with some more time for the end of the
            // output.
            noteProgress()
            return
        }
        do throws(File.Failure) {
            file = try OutputPlace(path).replacing(mode: 0o666)
        } catch {
            // A file that is not regular, such as a pipe, gets all of the output at the end.
            guard error.errno == ESPIPE else { throw Self.failure(path, error) }
        }
    }

    /// Notes that the command goes on: only a reader that takes nothing has it end.
    func noteProgress() {
        guard path == nil, let maximumTime else { return }
        TimeBudget.begin(end: maximumTime, more: 5, source: "standard output")
    }

    /// Adds bytes.
    func add(_ more: [UInt8]) throws(Failure) {
        bytes += more
        if bytes.count >= Self.pieceLength { try flush() }
    }

    /// Writes what was gathered, for somebody who waits for it.
    func flush() throws(Failure) {
        guard !bytes.isEmpty else { return }
        if path == nil {
            try Output.write(bytes, isStyled: isStyled)
            noteProgress()
        } else if file != nil {
            do throws(File.Failure) {
                try file?.write(bytes)
            } catch {
                throw Self.failure(path ?? "", error)
            }
        } else {
            return
        }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes the rest, and puts the file into its place.
    func finish() throws(Failure) {
        // Nobody may read a pipe.
        if let maximumTime, file == nil {
            TimeBudget.begin(end: maximumTime, source: path ?? "standard output")
        }
        try flush()
        guard let path else { return }
        guard let file = file.take() else {
            return try Output.write(bytes, to: path, isStyled: isStyled)
        }
        do throws(File.Failure) {
            try file.finish()
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: File.Failure) -> Failure {
        Failure(subject: path, error.text, code: FileError.Code.unwritable.rawValue, status: .file)
    }
}
