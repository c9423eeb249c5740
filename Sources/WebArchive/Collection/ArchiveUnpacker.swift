import WebStandards

/// Writes the bodies of archives as files of a new folder.
package struct ArchiveUnpacker: ~Copyable {
    /// The result of unpacking a capture.
    package struct Item {
        /// The capture.
        package let record: ArchiveRecord
        /// The name of its file; nil if it has none.
        package let name: String?
        /// The bytes of its body, decoded.
        package let size: Int
        /// The reason why the body is missing or incomplete; `nil` if it is complete.
        package let error: ArchiveError?

        package init(record: ArchiveRecord, name: String?, size: Int, error: ArchiveError?) {
            self.record = record
            self.name = name
            self.size = size
            self.error = error
        }
    }

    private let folder: NewFolder
    private let list: File
    private let path: String
    private var names: SafeNames
    private var left: Int

    /// The name of the list.
    package static let listName = "list.jsonl"

    /// Makes the folder.
    ///
    /// - Parameters:
    ///   - path: The folder; it must not be there, or be empty.
    ///   - maximumSize: Bytes that all files may have together; what has more is cut off and reported.
    /// - Throws: ``ArchiveError/Code/unwritable``.
    package init(_ path: String, maximumSize: Int) throws(ArchiveError) {
        let folder: NewFolder
        let list: File
        do throws(File.Failure) {
            folder = try NewFolder(path)
        } catch {
            throw ArchiveError(.unwritable, "\(path): \(error.text)")
        }
        do throws(File.Failure) {
            list = try folder.create(Self.listName)
        } catch {
            throw ArchiveError(.unwritable, "\(path): \(error.text)")
        }
        self.folder = folder
        self.list = list
        self.path = path
        left = maximumSize
        names = SafeNames(reserving: [Self.listName])
    }

    /// Writes the body of a capture.
    ///
    /// - Throws: ``ArchiveError/Code/unwritable``; what is wrong with the capture is in the item.
    package mutating func unpack(
        _ record: ArchiveRecord,
        _ found: ArchivedResponse
    ) throws(ArchiveError) -> Item {
        let name = names.name(for: record.url ?? record.id ?? "", mimeType: found.original.mimeType)
        var size = 0
        var written: File.Failure?
        var failure: ArchiveError?
        do throws(File.Failure) {
            let file = try folder.create(name)
            do throws(ArchiveError) {
                try unsafe found.reader.readPayload { [left] piece throws(ArchiveError) in
                    guard piece.count <= left - size else {
                        throw ArchiveError(
                            .limit,
                            "the files together have more bytes than --max-size allows"
                        )
                    }
                    size += piece.count
                    do throws(File.Failure) {
                        try file.write(unsafe Array(piece))
                        return true
                    } catch {
                        written = error
                        return false
                    }
                }
            } catch {
                failure = error
            }
        } catch {
            written = error
        }
        if let written { throw ArchiveError(.unwritable, "\(path)/\(name): \(written.text)") }
        left -= size
        return Item(record: record, name: name, size: size, error: failure)
    }

    /// Writes a line of the list.
    package func note(_ line: [UInt8]) throws(ArchiveError) {
        do throws(File.Failure) {
            try list.write(line)
        } catch {
            throw ArchiveError(.unwritable, "\(path)/\(Self.listName): \(error.text)")
        }
    }
}
