import Glibc
import WebLoader

/// What a command writes line by line: as it comes to standard output, and to a file that takes its place as a whole.
///
/// Little is held, however much is written.
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
    ///   - maximumTime: The seconds that the command has: a pipe without a reader is not waited for beyond them; nil for ever.
    /// - Throws: ``Failure`` if the file cannot be written.
    init(_ path: String?, isStyled: Bool = false, maximumTime: Double? = nil) throws(Failure) {
        self.maximumTime = maximumTime
        let path = path == "-" ? nil : path
        self.path = path
        self.isStyled = isStyled
        guard let path else {
            // Lines are written as they come, and nobody may read them. What reads them has some time for what comes at the end.
            noteProgress()
            return
        }
        do throws(File.Failure) {
            file = try OutputPlace(path).replacing(mode: 0o666)
        } catch {
            // What is no regular file, as a pipe, gets all of it at the end.
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
