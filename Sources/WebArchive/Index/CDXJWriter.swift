import WebStandards

/// Makes a sorted index of records, in bounded memory: what does not fit is sorted in runs, which are merged.
package struct CDXJWriter: ~Copyable {
    private var lines: [[UInt8]] = []
    private var size = 0
    private var runs: [ArchiveFile] = []
    private let memory: Int

    /// Creates a writer.
    ///
    /// - Parameter memory: Bytes of lines that are kept in memory.
    package init(memory: Int = 64 << 20) { self.memory = memory }

    /// Adds a line.
    package mutating func append(_ line: CDXJLine) throws(ArchiveError) {
        let bytes = line.bytes
        lines.append(bytes)
        // An array has some bytes of its own.
        size += bytes.count + 48
        if size > memory { try endRun() }
    }

    /// Adds the lines of all records of a reader.
    ///
    /// - Parameters:
    ///   - reader: The reader, before its first record.
    ///   - filename: The name of the file in the lines; `nil` for the name of each record's part.
    ///   - hasBodies: Whether the keys of methods other than GET include the method and the request's body; otherwise
    ///     all keys are those of the URLs.
    /// - Returns: The number of lines added.
    /// - Throws: Any error of the reader, and ``ArchiveError/Code/unwritable`` if a run cannot be stored.
    package mutating func append(
        _ reader: any RecordReader,
        filename: String? = nil,
        hasBodies: Bool = false
    ) throws(ArchiveError) -> Int {
        var pairs = RequestKeys(isActive: hasBodies)
        var count = 0
        while let record = try reader.next() {
            guard !record.isRecovered else { continue }
            try pairs.note(record, reader)
            let length = try reader.currentLength()
            guard let line = CDXJLine(record, length: length, filename: filename) else { continue }
            for line in pairs.keyed(line, record) {
                try append(line)
                count += 1
            }
        }
        for line in pairs.rest() {
            try append(line)
            count += 1
        }
        return count
    }

    /// Passes all lines in the order of their bytes, each with its line end and once only.
    package consuming func finish(_ sink: ([UInt8]) throws(ArchiveError) -> Void) throws(ArchiveError) {
        lines.sort { $0.lexicographicallyPrecedes($1) }
        guard !runs.isEmpty else { return try Self.write(lines, sink) }
        try endRun()
        var readers = runs.map { LineReader($0) }
        var heads: [[UInt8]?] = []
        for index in readers.indices { heads.append(try readers[index].next().map { Array($0.bytes) }) }
        var last: [UInt8] = []
        while true {
            var least: Int?
            for (index, head) in heads.enumerated() {
                guard let head else { continue }
                guard let other = least, let best = heads[other] else {
                    least = index
                    continue
                }
                if head.lexicographicallyPrecedes(best) { least = index }
            }
            guard let least, let line = heads[least] else { return }
            if line != last { try sink(line + [0x0A]) }
            last = line
            heads[least] = try readers[least].next().map { Array($0.bytes) }
        }
    }

    private mutating func endRun() throws(ArchiveError) {
        lines.sort { $0.lexicographicallyPrecedes($1) }
        var run = MemberCopy(name: "index")
        try Self.write(lines) { line throws(ArchiveError) in try run.append(line) }
        runs.append(try run.file(isOnDisk: true))
        lines = []
        size = 0
    }

    private static func write(
        _ lines: [[UInt8]],
        _ sink: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var last: [UInt8] = []
        for line in lines where line != last {
            try sink(line)
            last = line
        }
    }
}

/// Assigns keys with the request's body to the responses to requests other than GET.
///
/// A request precedes its response, or follows it.
private struct RequestKeys {
    let isActive: Bool
    private var request: (record: ArchiveRecord, key: String)?
    private var response: (record: ArchiveRecord, line: CDXJLine)?

    private static let maximumBody = 1 << 20

    init(isActive: Bool) { self.isActive = isActive }

    /// Takes a request's method and body.
    mutating func note(_ record: ArchiveRecord, _ reader: any RecordReader) throws(ArchiveError) {
        guard isActive, record.kind == .request, let url = record.url, let http = record.http else { return }
        let method = http.method
        let body: [UInt8]
        do throws(ArchiveError) {
            body = try reader.payload(maximumSize: Self.maximumBody)
        } catch {
            guard [.body, .bodyMissing, .limit, .tooLarge].contains(error.code) else {
                throw error
            }
            return
        }
        let key = SURT.key(of: url, method: method, contentType: http["Content-Type"], body: body)
        request = (record, key)
        if let response, Self.belongs(record, response.record) { self.response?.line.key = key }
    }

    /// The lines that are complete now.
    mutating func keyed(_ line: CDXJLine, _ record: ArchiveRecord) -> [CDXJLine] {
        guard isActive else { return [line] }
        var lines = rest()
        guard record.kind == .response || record.kind == .revisit else { return lines + [line] }
        var line = line
        if let request, Self.belongs(request.record, record) {
            line.key = request.key
            lines.append(line)
            self.request = nil
        } else {
            response = (record, line)
        }
        return lines
    }

    /// The line that still waited for its request.
    mutating func rest() -> [CDXJLine] {
        defer { response = nil }
        return response.map { [$0.line] } ?? []
    }

    private static func belongs(_ request: ArchiveRecord, _ response: ArchiveRecord) -> Bool {
        guard request.url == response.url else { return false }
        let concurrent = [request, response].compactMap { record in
            record.fields["WARC-Concurrent-To"].map { $0.filter { $0 != "<" && $0 != ">" } }
        }
        return concurrent.isEmpty || concurrent.contains { $0 == request.id || $0 == response.id }
    }
}
