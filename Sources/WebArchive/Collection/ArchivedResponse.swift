package import HTTPTypes
import WebStandards

/// A capture that was found, its body ready to be read.
package struct ArchivedResponse {
    /// The archive that has the capture.
    package let archive: Archive
    /// The capture.
    package let record: ArchiveRecord
    /// The record that has the body: the capture, or what a revisit refers to.
    package let original: ArchiveRecord
    /// Reads the body with ``RecordReader/readPayload(_:)``, once.
    package let reader: any RecordReader

    /// The status; nil for what is not of HTTP.
    package var status: Int? { head?.status ?? record.status }

    /// The head of the response: a revisit's own, unless it only says that nothing has changed.
    private var head: MessageHead? {
        guard let own = record.http, own.status != 304 || original.http == nil else { return original.http }
        return own
    }

    /// The version of HTTP, as in "1.1"; nil for what is not of HTTP.
    package var httpVersion: String? {
        guard let line = head?.startLine, line.hasPrefix("HTTP/") else { return nil }
        // A record has the form of HTTP/1.1 whatever was spoken, which a field of its own says then.
        switch record.fields["WARC-Protocol"] {
        case "h2": return "2"
        case "h3": return "3"
        default: return String(line.dropFirst(5).prefix { $0 != " " })
        }
    }

    /// The bytes of the body in its content coding, without a transfer coding; nil if its head does not say.
    package var codedSize: Int? {
        guard let http = original.http, http["Transfer-Encoding"] == nil else { return nil }
        return http["Content-Length"].flatMap { Int(inBounds: $0) }
    }

    /// The fields of the response in order, as bytes; of what is not of HTTP, the type that the archive states.
    package var lines: [(name: String, value: [UInt8])] {
        if let head { return head.lines }
        return fields.map { ($0.name.rawName, Array($0.value.utf8)) }
    }

    /// The fields of the response; of what is not of HTTP, the type that the archive states.
    package var fields: HTTPFields {
        if let head { return head.originalHTTPFields }
        let type = original.fields["Content-Type"] ?? original.mimeType
        return HTTPFields(received: type.map { [HTTPField(name: .contentType, bytes: Array($0.utf8))] } ?? [])
    }
}
