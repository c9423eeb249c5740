import HTTPTypes

/// The preconditions of a request that a cache evaluates with its stored response.
///
/// [RFC 9111, section 4.3.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.2)
enum Precondition {
    /// Whether the caller already has the stored response, so that a 304 answers it.
    static func isNotModified(_ request: WebRequest, _ stored: StoredResponse) -> Bool {
        // Conditions apply only to the statuses 200 and 206.
        guard stored.status == 200 || stored.status == 206 else { return false }
        if let field = request.headerFields[.ifNoneMatch] {
            if field.trimmingHTTPWhitespace == "*" { return true }
            guard let tag = stored.entityTag else { return false }
            return EntityTag.list(field).contains { $0.weakly(matches: tag) }
        }
        guard let field = request.headerFields[.ifModifiedSince] else { return false }
        let received = stored.responseTime.secondsSince1970
        guard let since = HTTPDate(field, now: received) else { return false }
        // Without Last-Modified, it cannot have been modified later than it was made.
        guard let modified = stored.headerFields[.lastModified] ?? stored.headerFields[.date] else {
            return received <= since.secondsSince1970
        }
        return HTTPDate(modified, now: received).map { $0 <= since } ?? false
    }

    /// The fields of a 304 for a stored response.
    ///
    /// [RFC 9110, section 15.4.5](https://www.rfc-editor.org/rfc/rfc9110#section-15.4.5)
    static func notModifiedFields(_ fields: HTTPFields) -> HTTPFields {
        var kept = fields
        kept[.contentLength] = nil
        kept[.contentRange] = nil
        return kept
    }
}
