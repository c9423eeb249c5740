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
                try passRecord()
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

    /// Passes over a record whose head is too long, and its block: what stands in there is no record.
    private func passRecord() throws(ArchiveError) {
        var fields = Array("WARC/1.1\r\n".utf8)
        var line: [UInt8] = []
        while try stream.fill(1), !isNextRecord() {
            let window = unsafe stream.window
            let end = unsafe window.firstIndex(of: 0x0A)
            // It ends with its member.
            let inMember = stream.memberEnd(after: stream.position).map { $0 - stream.position }
            let count = min(end.map { $0 + 1 } ?? window.count, inMember ?? window.count)
            unsafe line += window[..<count].prefix(Self.longestLengthLine - line.count)
            stream.drop(count)
            guard let end, end < count else { continue }
            if line.allSatisfy(Self.isLineEnd) { break }
            let isLength = String(asciiLowercasing: line.prefix(15)).hasPrefix("content-length")
            if isLength, line.last == 0x0A, fields.count < Self.longestLengthLine { fields += line }
            line.removeAll(keepingCapacity: true)
        }
        var head = unsafe fields.withUnsafeBytes { RecordHead(warc: $0) }
        head.problems = []
        recordCount += 1
        try begin(head)
        try finishRecord()
        self.head = nil
    }

    /// Passes over a record whose first line cannot be read, if its length leads to the end of a record.
    func passBlock() throws(ArchiveError) -> Bool {
        guard !isARC else { return false }
        _ = try stream.fill(Self.longestDamagedHead)
        let window = unsafe UnsafeRawBufferPointer(rebasing: stream.window.prefix(Self.longestDamagedHead))
        guard let end = unsafe FieldLines.end(in: window)?.next,
            let line = unsafe window.firstIndex(of: 0x0A), line < end
        else { return false }
        // It has not ended before another begins.
        let lines = unsafe UnsafeRawBufferPointer(rebasing: window[(line + 1)..<end])
        guard RecordStart.find(in: lines, from: 0, isARC: false) == nil else { return false }
        let fields = unsafe Array("WARC/1.1\r\n".utf8) + lines
        guard let length = unsafe fields.withUnsafeBytes({ RecordHead(warc: $0) }).length else {
            return false
        }
        let size = end +| length
        if let left = stream.bytesLeft, size > left { return false }
        if size <= Self.longestLook { _ = try stream.fill(size + 64) }
        let rest =
            unsafe size <= stream.count
            ? Array(stream.window[size...].prefix(64)) : try stream.peek(size, count: 64) ?? [0]
        guard Self.isEnd(rest, isARC: false) else { return false }
        _ = try stream.skip(size)
        return true
    }

    /// The most bytes of the head of a record whose first line cannot be read.
    private static let longestDamagedHead = 64 << 10

    /// The most bytes of a line that says the length of a block.
    private static let longestLengthLine = 256

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
        noteExtent(of: &head)
        try measure(&head)
        try correctExtent(of: head)
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
