import HTTPTypes

/// Partial content: answers ranges from a stored response, and combines parts.
enum PartialContent {
    /// The part of a stored response that answers a request.
    enum Answer: Equatable {
        /// All of it, as it is.
        case whole
        /// These positions of the representation.
        case part(Range<Int64>)
        /// The range is outside the representation (416).
        case unsatisfiable
    }

    /// The part of a stored response that answers a request; nil if it does not contain the requested range.
    ///
    /// [RFC 9111, section 3.3](https://www.rfc-editor.org/rfc/rfc9111#section-3.3)
    static func answer(_ request: WebRequest, _ stored: StoredResponse) -> Answer? {
        // A range is ignored for HEAD, and for statuses other than 200 and 206 (RFC 9110, section 14.2).
        let range = request.httpMethod == "GET" ? request.headerFields[.range].flatMap { ByteRange($0) } : nil
        guard stored.status == 206 else {
            guard let range, stored.status == 200 else { return .whole }
            guard isCurrent(request, stored) else { return .whole }
            // A range counts encoded bytes, but the stored bytes are decoded.
            guard stored.headerFields[.contentEncoding] == nil else { return nil }
            return range.positions(of: Int64(stored.body.count)).map { .part($0) } ?? .unsatisfiable
        }
        guard let part = stored.part, let range, isCurrent(request, stored) else { return nil }
        let wanted: Range<Int64>?
        switch (range, part.completeLength) {
        case (.bounded(let first, let last), nil): wanted = last < .max ? first..<last +| 1 : nil
        case (_, let length?): wanted = range.positions(of: length)
        case (_, nil): wanted = nil
        }
        guard let wanted, part.positions.contains(wanted) else { return nil }
        return .part(wanted)
    }

    /// Whether a stored response contains what a request asks for.
    static func canAnswer(_ request: WebRequest, _ stored: StoredResponse) -> Bool {
        answer(request, stored) != nil
    }

    /// Whether the stored response matches If-Range; true without the field.
    ///
    /// [RFC 9110, section 13.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5)
    private static func isCurrent(_ request: WebRequest, _ stored: StoredResponse) -> Bool {
        guard let condition = request.headerFields[.ifRange] else { return true }
        if let tag = EntityTag(condition) {
            return stored.entityTag.map { tag.strongly(matches: $0) } ?? false
        }
        return stored.headerFields[.lastModified] == condition && isStrong(lastModifiedOf: stored)
    }

    /// Whether Last-Modified is a strong validator: at least a minute before Date, so a second change would
    /// have shown.
    ///
    /// [RFC 9110, section 8.8.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.2.2)
    private static func isStrong(lastModifiedOf stored: StoredResponse) -> Bool {
        let now = stored.responseTime.secondsSince1970
        guard let modified = stored.headerFields[.lastModified].flatMap({ HTTPDate($0, now: now) }),
            let date = stored.headerFields[.date].flatMap({ HTTPDate($0, now: now) })
        else { return false }
        return date.secondsSince1970 -| modified.secondsSince1970 >= 60
    }

    // MARK: - Combining

    /// Combines two parts; nil if that is not possible: they are of different representations, or have a gap.
    ///
    /// The stored response is a part or all of the representation; the newer response's fields take
    /// precedence.
    ///
    /// [RFC 9111, section 3.4](https://www.rfc-editor.org/rfc/rfc9111#section-3.4)
    static func combined(
        _ stored: StoredResponse,
        _ newer: StoredResponse,
        maximumSize: Int
    ) throws(File.Failure) -> StoredResponse? {
        guard let new = newer.part, stored.isKeptForOfflineUse == newer.isKeptForOfflineUse,
            isSameRepresentation(stored, newer)
        else { return nil }
        let old: Range<Int64>
        switch stored.status {
        case 200 where stored.headerFields[.contentEncoding] == nil: old = 0..<Int64(stored.body.count)
        case 206:
            guard let part = stored.part else { return nil }
            old = part.positions
        default: return nil
        }
        let union =
            min(old.lowerBound, new.positions.lowerBound)..<max(old.upperBound, new.positions.upperBound)
        // They must overlap or touch.
        guard union.count <= old.count +| new.positions.count, union.count <= maximumSize else { return nil }
        var body = try stored.body.bytes(0..<old.count)
        let added = try newer.body.bytes(0..<new.positions.count)
        if old.lowerBound == union.lowerBound {
            let overlap = Int(bounded: old.upperBound -| new.positions.lowerBound)
            // In the overlap, the newer bytes are used; after the newer part's end, the older ones continue.
            let tail = body.suffix(max(0, Int(bounded: old.upperBound -| new.positions.upperBound)))
            body = body.dropLast(overlap) + added + tail
        } else {
            body = added + body.suffix(Int(bounded: union.upperBound -| new.positions.upperBound))
        }
        var combined = newer
        combined.remoteAddress = stored.address(with: newer.remoteAddress)
        for field in stored.headerFields where newer.headerFields[field.name] == nil {
            combined.headerFields.append(received: field)
        }
        let length = new.completeLength ?? stored.part?.completeLength
        if union.lowerBound == 0, Int64(union.count) == length {
            combined.status = 200
            combined.headerFields[.contentRange] = nil
            combined.headerFields[.contentLength] = String(union.count)
        } else {
            combined.headerFields[.contentRange] =
                ContentRange(positions: union, completeLength: length).description
            combined.headerFields[.contentLength] = String(union.count)
        }
        combined.body = .bytes(Array(body))
        return combined
    }

    /// Whether both have the same strong validator.
    private static func isSameRepresentation(_ a: StoredResponse, _ b: StoredResponse) -> Bool {
        if let tag = a.entityTag, let other = b.entityTag { return tag.strongly(matches: other) }
        guard a.headerFields[.eTag] == nil, b.headerFields[.eTag] == nil,
            let modified = a.headerFields[.lastModified]
        else { return false }
        return modified == b.headerFields[.lastModified] && isStrong(lastModifiedOf: a)
            && isStrong(lastModifiedOf: b)
    }
}
