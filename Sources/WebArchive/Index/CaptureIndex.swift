import WebStandards

/// An index of captures: a sorted text of lines, compressed or not.
package protocol CaptureIndex: Sendable {
    /// Passes the lines that begin with some bytes, in their order, until the closure has enough.
    ///
    /// - Parameters:
    ///   - prefix: The bytes; none for all lines.
    ///   - body: Takes a line, which may be damaged; returns whether it takes more.
    /// - Throws: ``ArchiveError`` if the index cannot be read.
    func forEachLine(startingWith prefix: [UInt8], _ body: (IndexLine) -> Bool) throws(ArchiveError)

    /// Its name in an archive; nil if it is a file.
    var part: String? { get }

    /// Checks what single lines do not show, and adds the problems to ``findings``.
    func verify() throws(ArchiveError)

    /// The problems of the index as a whole that have been found so far.
    var findings: [ArchiveFinding] { get }
}

/// A line of an index, as it was found.
package struct IndexLine {
    /// Where it begins in the text.
    package let offset: Int
    package let content: Content

    package enum Content {
        case line(CDXJLine)
        /// It cannot be read, for a reason.
        case damaged(String)
    }

    init(_ line: LineReader.Line) {
        offset = line.offset
        guard !line.isTooLong else {
            content = .damaged("it has more than \(LineReader.maximumLength) bytes")
            return
        }
        do throws(CDXJLine.Failure) {
            content = .line(try CDXJLine(parsing: line.bytes))
        } catch {
            content = .damaged(error.message)
        }
    }
}

extension CaptureIndex {
    /// The captures of a key, by their time; lines that cannot be read are left out.
    package func lines(ofKey key: String) throws(ArchiveError) -> [CDXJLine] {
        try lines(startingWith: "\(key) ")
    }

    /// The captures whose keys begin with a text, such as "com,example)/a".
    package func lines(
        startingWith prefix: String,
        maximumCount: Int = Int.largestBounded
    ) throws(ArchiveError) -> [CDXJLine] {
        var lines: [CDXJLine] = []
        try forEachLine(startingWith: Array(prefix.utf8)) { line in
            if case .line(let line) = line.content { lines.append(line) }
            return lines.count < maximumCount
        }
        return lines
    }
}
