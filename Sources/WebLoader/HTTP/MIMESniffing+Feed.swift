extension MIMESniffing {
    /// The type of the feed that a resource labeled as HTML turns out to be, or nil for one that is no feed.
    ///
    /// The standard has dropped these rules since its edition of July 2023, for browsers no longer show
    /// feeds; the computed type does without them. They serve who looks for feeds.
    ///
    /// - Complexity: O(*n*) in the number of bytes, of which the first 1445 count.
    ///
    /// [MIME Sniffing, July 2023: rules for distinguishing if a resource is a feed or
    /// HTML](https://mimesniff.spec.whatwg.org/review-drafts/2023-07/#sniffing-a-mislabeled-feed)
    static func feedType(_ resource: Span<UInt8>) -> MediaType? {
        let header = resource.extracting(first: resourceHeaderLength)
        var scanner = FieldScanner(header.indices.map { header[$0] })
        // A byte order mark.
        _ = scanner.skip(sequence: [0xEF, 0xBB, 0xBF])
        while true {
            // Whitespace up to the next markup.
            scanner.skip(while: \.isASCIIWhitespace)
            guard scanner.skip(UInt8(ascii: "<")) else { return nil }
            if scanner.skip(sequence: Array("!--".utf8)) {
                guard scanner.skip(past: Array("-->".utf8)) else { return nil }
            } else if scanner.skip(UInt8(ascii: "!")) {
                guard scanner.skip(past: Array(">".utf8)) else { return nil }
            } else if scanner.skip(UInt8(ascii: "?")) {
                guard scanner.skip(past: Array("?>".utf8)) else { return nil }
            } else {
                return feedType(ofRootElement: &scanner)
            }
        }
    }

    /// The type by the first tag; the scanner is at its name.
    private static func feedType(ofRootElement scanner: inout FieldScanner) -> MediaType? {
        let rss = MediaType(type: "application", subtype: "rss+xml")
        if scanner.skip(sequence: Array("rss".utf8)) { return rss }
        if scanner.skip(sequence: Array("feed".utf8)) {
            return MediaType(type: "application", subtype: "atom+xml")
        }
        guard scanner.skip(sequence: Array("rdf:RDF".utf8)) else { return nil }
        // RSS 1.0: both namespaces must follow, in any order.
        let rssNamespace = Array("http://purl.org/rss/1.0/".utf8)
        let rdfNamespace = Array("http://www.w3.org/1999/02/22-rdf-syntax-ns#".utf8)
        var other = scanner
        let hasBoth = scanner.skip(past: rssNamespace) && other.skip(past: rdfNamespace)
        return hasBoth ? rss : nil
    }
}

extension FieldScanner {
    /// Moves behind `sequence` if it comes next, and says whether it did.
    fileprivate mutating func skip(sequence: [UInt8]) -> Bool {
        var probe = self
        for byte in sequence where !probe.skip(byte) { return false }
        self = probe
        return true
    }

    /// Moves behind the next `sequence`, or to the end, and says whether there was one.
    fileprivate mutating func skip(past sequence: [UInt8]) -> Bool {
        while !isAtEnd {
            if skip(sequence: sequence) { return true }
            advance()
        }
        return false
    }
}
