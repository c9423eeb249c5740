package import WebStandards

/// A WARC or an ARC, and what can be asked of it.
package struct WARCContents: ArchiveContents {
    let file: ArchiveFile

    /// The contents of a file, of which nothing is read yet.
    package init(file: ArchiveFile) {
        self.file = file
    }

    package var format: String { ArchiveFormat.warc.rawValue }

    package func records() throws(ArchiveError) -> any RecordReader {
        try WARCReader(file)
    }

    package func records(at location: ArchiveLocation) throws(ArchiveError) -> any RecordReader {
        try WARCReader(file, at: location.offset)
    }

    package func captures(of url: WebURL) throws(ArchiveError) -> [ArchiveCapture]? { nil }

    package func pages() throws(ArchiveError) -> [ArchivePage]? { nil }

    package func verify(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) {
        let reader = try WARCReader(file)
        var revisits = RevisitCheck()
        while try reader.next() != nil {
            try reader.verifyRecord(&revisits)
            for finding in reader.takeFindings() { report(finding) }
        }
        for finding in reader.takeFindings() { report(finding) }
        // Revisits may refer to records that could not be read, which has been reported already.
        if !reader.hasLost { for finding in revisits.findings { report(finding) } }
    }
}
