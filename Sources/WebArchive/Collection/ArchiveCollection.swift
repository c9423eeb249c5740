import Glibc
package import WebStandards

/// Archives that are asked together: which captures of a URL there are, and what they hold.
///
/// Its calls block, and end soon after the time or the patience of the caller does.
package final class ArchiveCollection: Sendable {
    package let members: [Archive]

    /// Creates a collection of archives, at least one.
    package init(_ archives: [Archive]) { members = archives }

    /// The name of the archives in messages.
    package var name: String { members.count == 1 ? members[0].path : "the \(members.count) archives" }

    /// Finds a capture of a URL: the response to a GET request.
    ///
    /// - Parameters:
    ///   - url: The URL; its fragment does not count.
    ///   - date: The date of the capture: the nearest one before or at it is returned, else the first one after it;
    ///     `nil` for the newest.
    ///   - limit: The time limit.
    /// - Returns: The capture, whose body has not been read.
    /// - Throws: ``ArchiveError/Code/miss`` if there is none; ``ArchiveError/Code/bodyMissing`` if it is a revisit
    ///   whose original is missing.
    package func response(
        to url: WebURL,
        at date: Timestamp? = nil,
        within limit: WaitLimit
    ) throws(ArchiveError) -> ArchivedResponse {
        try response(to: url, Self.key(of: url), date, limit, ofAnyMethod: false)
    }

    /// Finds a capture of what an archive calls a URL, be it one or not, whatever the request's method was; otherwise the same.
    package func response(
        to url: String,
        at date: Timestamp?,
        within limit: WaitLimit
    ) throws(ArchiveError) -> ArchivedResponse {
        try response(to: try? WebURL(url), Self.key(url), date, limit, ofAnyMethod: true)
    }

    private func response(
        to url: WebURL?,
        _ key: String,
        _ date: Timestamp?,
        _ limit: WaitLimit,
        ofAnyMethod isAnyMethod: Bool
    ) throws(ArchiveError) -> ArchivedResponse {
        var found: [(member: Archive, capture: Capture)] = []
        var failure: ArchiveError?
        for member in members {
            do throws(ArchiveError) {
                for capture in try captures(of: url, key, in: member, limit)
                where isAnyMethod || capture.isOfGET {
                    found.append((member, capture))
                }
            } catch {
                // A failure of one archive does not exclude the others.
                guard members.count > 1, ![.cancelled, .time].contains(error.code) else { throw error }
                failure = failure ?? error
            }
        }
        found.sort { Self.isBefore($0.capture, $1.capture, date) }
        // Another form of the content is better than nothing.
        let kinds: [(ArchiveRecord) -> Bool] = [
            { Self.hasContent($0) && (isAnyMethod || $0.isOfGET) }, { $0.kind == .conversion },
        ]
        for isWanted in kinds {
            for (member, capture) in found {
                // Its place may turn out to be another's: an index that lies, or two keys of one hash.
                let here = try open(capture, in: member, limit) {
                    isWanted($0) && $0.url.map(Self.key) == key
                }
                if let (record, reader) = here { return try resolved(record, reader, member, limit) }
            }
        }
        throw failure ?? ArchiveError(.miss, "not in \(name)")
    }

    /// The response of the record at which a reader stands.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - reader: The reader that returned the record.
    ///   - archive: The archive of the record.
    ///   - original: The location in the archive of the record whose body the revisit has, if the caller knows it;
    ///     `nil` to search for it.
    ///   - limit: The time limit.
    /// - Returns: The response, whose body has not been read.
    /// - Throws: ``ArchiveError/Code/bodyMissing`` if it is a revisit whose original is missing.
    package func response(
        of record: ArchiveRecord,
        _ reader: any RecordReader,
        in archive: Archive,
        original: ArchiveLocation? = nil,
        within limit: WaitLimit
    ) throws(ArchiveError) -> ArchivedResponse {
        if record.kind == .revisit, let original, let digest = record.payloadDigest {
            let reader = try archive.contents.records(at: original)
            if let found = try reader.next(), found.offset == original.offset, found.kind != .revisit,
                Self.isCapture(found), found.payloadDigest == digest
            {
                return ArchivedResponse(archive: archive, record: record, original: found, reader: reader)
            }
        }
        return try resolved(record, reader, archive, limit)
    }

    /// Whether a capture is the one that is chosen for a date.
    static func isBefore(_ a: Capture, _ b: Capture, _ date: Timestamp?) -> Bool {
        guard let limit = date?.millisecondsSince1970 else { return a.date > b.date }
        switch (a.date <= limit, b.date <= limit) {
        case (true, true): return a.date > b.date
        case (false, false): return a.date < b.date
        case (let isEarly, _): return isEarly
        }
    }

    /// Whether a record is a capture, which has a body of its own or another's, and not what may be a part of a body.
    package static func isCapture(_ record: ArchiveRecord) -> Bool {
        !record.isRecovered
            && (record.kind == .response || record.kind == .resource || record.kind == .revisit)
    }

    /// Whether a record is a capture that says what there was.
    static func hasContent(_ record: ArchiveRecord) -> Bool { isCapture(record) && record.hasContent }

    /// Whether a record is a capture that can stand for its URL, as far as it says so itself.
    package static func isCopy(_ record: ArchiveRecord) -> Bool {
        hasContent(record) && record.isOfGET
    }

    /// Ends what takes longer than its caller waits.
    static func check(_ limit: WaitLimit) throws(ArchiveError) {
        do throws(File.Failure) {
            try limit.check()
        } catch {
            throw error.errno == ECANCELED
                ? ArchiveError(.cancelled, "cancelled")
                : ArchiveError(.time, "the archive was not read in the time that there was")
        }
    }
}
