/// Opens archives of any format.
package enum ArchiveOpening {
    /// Opens the archive at a path that the user named.
    ///
    /// - Parameter path: The path of a regular file, a pipe or a device.
    /// - Returns: Its contents.
    /// - Throws: ``ArchiveError`` if the file cannot be read, or is not an archive.
    package static func open(path: String) throws(ArchiveError) -> any ArchiveContents {
        try open(ArchiveFile(path: path))
    }

    /// Whether a regular file is certainly an archive: by its first bytes, or if they are compressed, by its first
    /// record.
    ///
    /// In contrast, ``open(path:)`` searches for records after damage, and takes a page for an archive with nothing but
    /// damage.
    package static func isArchive(path: String) -> Bool {
        guard let file = try? ArchiveFile(path: path),
            let head = try? file.bytes(at: 0, count: ArchiveFormat.lookLength)
        else { return false }
        if let isArchive = ArchiveFormat.isArchive(head) { return isArchive }
        guard let records = try? open(file).records() else { return false }
        return (try? records.next()) != nil
    }

    /// Opens an archive by what its first bytes say.
    package static func open(_ file: ArchiveFile) throws(ArchiveError) -> any ArchiveContents {
        switch try ArchiveFormat.detect(file) {
        case .warc, .arc: WARCContents(file: file)
        case .wacz: try WACZContents(file: file)
        case .har: HARContents(file: file)
        case .mhtml: MHTMLContents(file: file)
        }
    }
}
