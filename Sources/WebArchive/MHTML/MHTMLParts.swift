import WebStandards

/// The parts of a message in a row: found while the file is read, or by what is known of it.
enum MHTMLParts: ~Copyable {
    case scanned(MHTMLScanner)
    /// From a place of the index.
    case indexed(MHTMLIndex, Int, ArchiveFile)

    /// The next part, its head, and what that of the message says.
    mutating func next() throws(ArchiveError) -> (MHTMLPart, MIMEHead, MHTMLMessage)? {
        switch consume self {
        case .scanned(var scanner):
            let part: MHTMLPart?
            do throws(ArchiveError) {
                part = try scanner.next()
            } catch {
                self = .scanned(scanner)
                throw error
            }
            let result = part.map { ($0, scanner.head, scanner.message) }
            self = .scanned(scanner)
            return result
        case .indexed(let index, let place, let file):
            self = .indexed(index, place + 1, file)
            guard place < index.parts.count else { return nil }
            let part = index.parts[place]
            return (part, try Self.head(of: part, in: file), index.message)
        }
    }

    mutating func takeFindings() -> [ArchiveFinding] {
        switch consume self {
        case .scanned(var scanner):
            let findings = scanner.takeFindings()
            self = .scanned(scanner)
            return findings
        case .indexed(let index, let place, let file):
            self = .indexed(index, place, file)
            return []
        }
    }

    /// Reads the head of a part again.
    private static func head(of part: MHTMLPart, in file: ArchiveFile) throws(ArchiveError) -> MIMEHead {
        var line = MIMELineReader(file, at: part.offset)
        var head = MIMEHead()
        while line.offset < part.body?.lowerBound ?? Int.largestBounded, try line.next(keeping: 1 << 20),
            line.contentEnd > line.start
        {
            head.add(line.bytes)
        }
        return head
    }
}

/// Where the parts of a message are, so that one of them is found without reading those before it.
struct MHTMLIndex: Sendable {
    var message: MHTMLMessage
    var parts: [MHTMLPart] = []

    /// Reads the whole file.
    ///
    /// - Throws: ``ArchiveError/Code/limit`` if it has more than a million parts.
    init(_ file: ArchiveFile) throws(ArchiveError) {
        var scanner = MHTMLScanner(file)
        while let part = try scanner.next() {
            guard parts.count < 1_000_000 else {
                throw ArchiveError(.limit, "\(file.path): more than 1,000,000 parts")
            }
            parts.append(part)
            _ = scanner.takeFindings()
        }
        message = scanner.message
    }

    /// The number of the part at an offset, or of the first one behind it.
    func place(of offset: Int) -> Int {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
