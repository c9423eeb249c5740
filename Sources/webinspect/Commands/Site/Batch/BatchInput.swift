import WebArchive
import WebLoader
import WebSite

/// A line of a batch's input: its number, and where it is.
struct LinePlace: Equatable, Sendable {
    /// From 1.
    let number: Int
    let offset: Int
    let length: Int

    init(_ line: LineSplitter.Numbered) {
        number = line.number
        offset = line.offset
        length = line.length
    }

    /// Reads what ``identity`` says.
    init?(_ identity: String) {
        let parts = identity.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let number = Int(inBounds: parts[0]), let offset = Int(inBounds: parts[1]),
            let length = Int(inBounds: parts[2]), number > 0, offset >= 0, length >= 0
        else { return nil }
        self.number = number
        self.offset = offset
        self.length = length
    }

    /// The text that identifies the line within the input.
    var identity: String { "\(number):\(offset):\(length)" }
}

/// The input of a batch: a file whose lines are read as they are queued, and again as it is their turn.
struct BatchInput: Sendable {
    private let file: ArchiveFile
    private let size: Int

    private static let pieceSize = 1 << 18

    /// Opens the input.
    init(_ path: String) throws(Failure) {
        do throws(ArchiveError) {
            let file = try ArchiveFile(path: path)
            guard let size = file.size else {
                throw ArchiveError(.unreadable, "\(path): it can be read once only")
            }
            self.file = file
            self.size = size
        } catch {
            throw Failure(error, archive: path)
        }
    }

    /// Returns a text that distinguishes the input from others: its size and its hash.
    func fingerprint() async throws(Failure) -> String {
        let (file, size) = (file, size)
        do throws(ArchiveError) {
            return try await BlockingWork.threads.run { () throws(ArchiveError) in
                var digest = try Digest(.sha256)
                var offset = 0
                while offset < size {
                    let bytes = try file.bytes(at: offset, count: 1 << 20)
                    if bytes.isEmpty { break }
                    digest.update(bytes)
                    offset += bytes.count
                }
                return "\(size) bytes, sha256 \(Base16.encode(digest.finish()))"
            }
        } catch {
            throw Failure(error, archive: file.path)
        }
    }

    /// The bytes from a place on, in a piece; none at the end.
    func piece(at offset: Int) throws(ArchiveError) -> [UInt8] {
        try file.bytes(at: offset, count: Self.pieceSize)
    }

    /// Returns the input on a line; `nil` if the line is empty.
    func input(at place: LinePlace) throws(ArchiveError) -> PageInput? {
        let line: LineSplitter.Line
        if place.length <= LineSplitter.maximumLength {
            line = .whole(try file.bytes(at: place.offset, count: place.length)[...])
        } else {
            line = .tooLong
        }
        return LineSplitter.Numbered(place, line).input
    }
}

extension LineSplitter.Numbered {
    init(_ place: LinePlace, _ line: LineSplitter.Line) {
        self.init(number: place.number, offset: place.offset, length: place.length, line: line)
    }
}
