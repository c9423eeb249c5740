/// Opens archives of any format.
package enum ArchiveOpening {
    /// Opens the archive of a path that the user named.
    ///
    /// - Parameter path: The path of a regular file, a pipe or a device.
    /// - Returns: Its contents.
    /// - Throws: ``ArchiveError`` if it cannot be read, or is none.
    package static func open(path: String) throws(ArchiveError) -> any ArchiveContents {
        try open(ArchiveFile(path: path))
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
