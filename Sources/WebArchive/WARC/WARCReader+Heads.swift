import Glibc
import HTTPTypes
import WebStandards

extension WARCReader {
    /// Reads the head that begins here; false if there is none, and what is behind it is to be looked at.
    func readHead() throws(ArchiveError) -> Bool {
        var size = 4096
        while true {
            let isAll = try !stream.fill(size)
            let window = unsafe UnsafeRawBufferPointer(rebasing: stream.window.prefix(Self.longestHead))
            let start = min(max(0, headSearchedTo - stream.position - 3), window.count)
            if let end = unsafe FieldLines.end(in: window, from: start) {
                let head = unsafe RecordHead(warc: UnsafeRawBufferPointer(rebasing: window[..<end.head]))
                stream.drop(end.next)
                try begin(head)
                return true
            }
            headSearchedTo = max(headSearchedTo, stream.position + window.count)
            if window.count == Self.longestHead {
                report(.header, "the head of the record has more than \(Self.longestHead) bytes")
                stream.drop(5)
                try findRecord(from: 0)
                return false
            }
            if isAll {
                let code = stream.damage == nil ? ArchiveFinding.Code.truncated : .header
                report(code, "the file ends in the head of a record")
                stream.drop(stream.count)
                return false
            }
            size *= 4
        }
    }

    func isARCLine() throws(ArchiveError) -> Bool {
        var size = 1024
        while true {
            let isAll = try !stream.fill(size)
            let window = unsafe UnsafeRawBufferPointer(rebasing: stream.window.prefix(ARCLine.longest))
            if let end = unsafe window.firstIndex(of: 0x0A) {
                return unsafe ARCLine(UnsafeRawBufferPointer(rebasing: window[..<end])) != nil
            }
            if isAll || window.count == ARCLine.longest { return false }
            size *= 4
        }
    }

    func readARCLine() throws(ArchiveError) -> Bool {
        let window = unsafe stream.window
        guard let end = unsafe window.firstIndex(of: 0x0A),
            let line = unsafe ARCLine(UnsafeRawBufferPointer(rebasing: window[..<end]))
        else { return false }
        isARC = true
        let head = unsafe RecordHead(arc: line, UnsafeRawBufferPointer(rebasing: window[..<end]))
        stream.drop(end + 1)
        try begin(head)
        return true
    }

    /// Begins the block of a record, whose head was read.
    func begin(_ head: RecordHead) throws(ArchiveError) {
        var head = head
        isFinished = false
        isBlockStarted = false
        isCut = false
        isMeasured = false
        isCorrected = false
        recordLength = nil
        messageHeadLength = 0
        isMessageHeadTooLong = false
        framing = nil
        if !head.problems.isEmpty {
            report(.header, "the head of the record is damaged: " + head.problems.joined(separator: "; "))
        }
        try measure(&head)
        if head.isHTTP { try readMessageHead(&head) }
        head.record.part = nil
        head.record.offset = offset
        self.head = head
    }

    /// Reads the head of the HTTP message that a block begins with.
    func readMessageHead(_ head: inout RecordHead) throws(ArchiveError) {
        let most = min(blockLeft, Self.longestHead)
        var size = min(most, 4096)
        var end: (head: Int, next: Int)?
        while true {
            let isAll = try !stream.fill(size)
            let window = unsafe UnsafeRawBufferPointer(rebasing: stream.window.prefix(most))
            unsafe end = FieldLines.end(in: window)
            if end != nil || isAll || size >= most { break }
            size = min(most, size * 4)
        }
        let window = unsafe UnsafeRawBufferPointer(rebasing: stream.window.prefix(most))
        let isRequest = head.record.kind == .request
        guard isRequest || RecordStart.hasPrefix(window, "HTTP") else {
            // An ARC may have other documents, a WARC bodies whose head is not there.
            return
        }
        isMessageHeadTooLong = end == nil && most < blockLeft
        if isMessageHeadTooLong {
            report(.header, "the head of the HTTP message has more than \(most) bytes")
        }
        let length = end ?? (window.count, isMessageHeadTooLong ? blockLeft : window.count)
        messageHeadLength = length.next
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: window[..<length.head])
        head.record.mimeType = nil
        unsafe readMessageFields(bytes, &head)
        let message = unsafe MessageHead(bytes: Array(bytes))
        if !isRequest { head.record.status = message.status }
        head.record.http = message
    }

    func readMessageFields(_ bytes: UnsafeRawBufferPointer, _ head: inout RecordHead) {
        var framing = BodyFraming()
        var codings: [String] = []
        var count = 0
        var lines = unsafe FieldLines(bytes)
        _ = unsafe lines.nextLine()
        while let field = unsafe lines.next() {
            count += 1
            if unsafe field.isNamed("content-type") {
                if head.record.mimeType == nil { head.record.mimeType = unsafe field.essence }
            } else if unsafe field.isNamed("content-length") {
                framing.contentLength = unsafe Int(inBounds: field.text)
            } else if unsafe field.isNamed("content-encoding") {
                unsafe codings += field.text.split(separator: ",").map { String($0) }
            } else if unsafe field.isNamed("transfer-encoding") {
                let last =
                    unsafe field.text.split(separator: ",").last.map { String(asciiLowercasing: $0.utf8) }
                    ?? ""
                framing.isChunked = last.utf8.filter { !$0.isHTTPTabOrSpace }.elementsEqual("chunked".utf8)
            }
        }
        if count > HTTPFields.maximumCount {
            report(.header, "the head of the HTTP message has more than \(HTTPFields.maximumCount) fields")
        }
        if !codings.isEmpty {
            let names = codings.map { name in
                String(asciiLowercasing: name.utf8.filter { !$0.isHTTPTabOrSpace })
            }.filter { !$0.isEmpty && $0 != "identity" }
            framing.hasTooManyCodings = names.count > ContentCoding.maximumCount
            if !framing.hasTooManyCodings {
                let known = names.compactMap { ContentCoding(rawValue: $0 == "x-gzip" ? "gzip" : $0) }
                if known.count == names.count { framing.codings = known }
            }
        }
        self.framing = framing
    }
}
