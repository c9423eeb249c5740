import HTTPTypes

/// The body length that a response's fields declare, checked more strictly (RFC 9112) than by libcurl.
///
/// [RFC 9112, section 6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)
struct ResponseFraming {
    /// The Content-Length, nil if there is none or it is ignored.
    private(set) var contentLength: Int64?

    /// Reads the fields.
    ///
    /// - Parameters:
    ///   - fields: The fields of the final response.
    ///   - status: Its status.
    ///   - method: The request's method.
    /// - Throws: ``FetchError`` with the code `malformedResponse` if they contradict themselves.
    init(_ fields: HTTPFields, status: Int, method: String) throws(FetchError) {
        // 1. and 2. These have no body, whatever their fields say.
        if method == "HEAD" || 100..<200 ~= status || status == 204 || status == 304 { return }
        // 3. A Content-Length beside Transfer-Encoding is ignored.
        if fields.contains(where: { $0.name == .transferEncoding }) {
            let codings = fields.listElements(.transferEncoding)
            guard codings == ["chunked"] || codings.allSatisfy({ $0 == "identity" }) else {
                throw FetchError(.malformedResponse, "an unsupported Transfer-Encoding")
            }
            if codings.contains("chunked") { return }
        }
        // 5. Several equal values count as one.
        var length: Int64?
        for field in fields where field.name == .contentLength {
            for element in field.value.utf8.split(
                separator: UInt8(ascii: ","),
                omittingEmptySubsequences: false
            ) {
                let next = try Self.number(element)
                guard length == nil || length == next else {
                    throw FetchError(.malformedResponse, "several values of Content-Length")
                }
                length = next
            }
        }
        contentLength = length
    }

    private static func number(_ bytes: Substring.UTF8View) throws(FetchError) -> Int64 {
        var bytes = bytes
        while let first = bytes.first, first.isHTTPTabOrSpace { bytes.removeFirst() }
        while let last = bytes.last, last.isHTTPTabOrSpace { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.allSatisfy(\.isASCIIDigit) else {
            throw FetchError(.malformedResponse, "a Content-Length that is not a number")
        }
        // A larger value becomes 2^53, which is larger than any limit.
        return Int64(Int(bounded: bytes) ?? .largestBounded)
    }
}
