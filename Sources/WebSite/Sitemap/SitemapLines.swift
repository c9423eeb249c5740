import WebStandards

/// Parses a sitemap of plain text: a URL on each line.
struct SitemapLines {
    private(set) var line = 1
    private var text: [UInt8] = []
    private var isTooLong = false
    private var isAfterReturn = false
    /// The number of lines that are no URLs, before the first line that is one.
    private var strangeLineCount = 0

    /// The maximum number of such lines in a list of URLs.
    private static let maximumStrangeLineCount = 100

    mutating func read(_ bytes: Span<UInt8>, _ builder: inout SitemapBuilder) {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == 0x0A, isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = byte == 0x0D
            if byte == 0x0A || byte == 0x0D {
                endLine(&builder)
                if builder.isDone { return }
            } else if text.count < Sitemap.maximumLocationLength {
                text.append(byte)
            } else {
                isTooLong = true
            }
        }
    }

    mutating func finish(_ builder: inout SitemapBuilder) {
        if !builder.isDone { endLine(&builder) }
        if builder.kind == nil, !builder.isDone {
            builder.faults.add(.kind, line: 1, "the file is neither a sitemap in XML nor a list of URLs")
        }
    }

    private mutating func endLine(_ builder: inout SitemapBuilder) {
        if isTooLong || text.contains(where: { !$0.isASCIIWhitespace }) {
            builder.addTextLine(text, isTooLong: isTooLong, line: line)
            if builder.kind == nil { strangeLineCount += 1 }
            if strangeLineCount > Self.maximumStrangeLineCount {
                builder.stop(.kind, line: 1, "the file is neither a sitemap in XML nor a list of URLs")
            }
        }
        text.removeAll(keepingCapacity: true)
        isTooLong = false
        line += 1
    }
}
