import HTTPTypes

extension CacheDecision {
    /// The request that asks whether a stored response still holds.
    ///
    /// The caller's own conditions go along: its tags beside the stored one, its date only where the stored response
    /// has none.
    ///
    /// [RFC 9111, section 4.3.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.1)
    static func validation(of stored: StoredResponse, _ request: WebRequest) -> WebRequest {
        var request = request
        if let tag = stored.headerFields[.eTag] {
            let own = request.headerFields[.ifNoneMatch]
            let isThere = own.map { own in
                own == "*" || own == tag
                    || EntityTag.list(own).contains { own in EntityTag(tag).map { own == $0 } ?? false }
            }
            switch isThere {
            case nil: request.headerFields[.ifNoneMatch] = tag
            case false?: request.headerFields[.ifNoneMatch] = "\(own ?? ""), \(tag)"
            case true?: break
            }
        }
        if let date = stored.headerFields[.lastModified] { request.headerFields[.ifModifiedSince] = date }
        return request
    }

    /// Whether a 304 says of this stored response that it still holds.
    ///
    /// One that names another representation is not what was asked for, and one with a strong tag names none that has
    /// no tag. One without a tag is taken at its word: it answers a request with this response's. (That a strong tag
    /// may stand for the weak one of the same text is for servers that make it weak where they compress.)
    ///
    /// [RFC 9111, section 4.3.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.4)
    static func isConfirmed(_ stored: StoredResponse, by notModified: WebResponse) -> Bool {
        guard let new = notModified.headerFields[.eTag].flatMap({ EntityTag($0) }) else { return true }
        guard let old = stored.entityTag else { return new.isWeak }
        return new.weakly(matches: old)
    }

    /// A stored response with the fields of a 304, or of a HEAD's response, that says that it still holds.
    ///
    /// [RFC 9111, section 3.2](https://www.rfc-editor.org/rfc/rfc9111#section-3.2)
    static func updated(
        _ stored: StoredResponse,
        by newer: WebResponse,
        requestTime: Timestamp,
        responseTime: Timestamp
    ) -> StoredResponse {
        var updated = stored
        updated.requestTime = requestTime
        updated.responseTime = responseTime
        updated.isOutdated = false
        // An age that an intermediary counted before says nothing about now.
        updated.headerFields[.age] = nil
        var seen: [HTTPField.Name] = []
        for field in storedFields(newer.headerFields) where !aboutTheMessage.contains(field.name) {
            if !seen.contains(field.name) {
                seen.append(field.name)
                updated.headerFields[field.name] = nil
            }
            updated.headerFields.append(field)
        }
        if newer.headerFields[.date] == nil {
            // RFC 9110, section 6.6.1: one without is dated by who receives it; the old date would make it old at once.
            let date = HTTPDate(secondsSince1970: responseTime.secondsSince1970)
            updated.headerFields[.date] = date.description
        }
        return updated
    }

    /// Why a stored response is not kept with the fields of one that says that it still holds; nil if it is.
    ///
    /// Where it is the server's wish, what is stored is not to be used any more either.
    static func refusalToUpdate(_ request: WebRequest, _ newer: WebResponse) -> StorageRefusal? {
        guard request.storesResponse else { return .requestAsksNot }
        guard newer.tls?.isVerified != false else { return .uncheckedCertificate }
        if CacheControl(fieldLines: request.headerFields[values: .cacheControl]).noStore {
            return .requestNoStore
        }
        let control = CacheControl(fieldLines: newer.headerFields[values: .cacheControl])
        return control.noStore && !control.mustUnderstand ? .noStore : nil
    }

    /// Fields about how the newer message itself was sent.
    private static let aboutTheMessage: [HTTPField.Name] = [
        .contentEncoding, .contentLength, .contentRange, .trailer,
    ]

    // MARK: - HEAD

    /// What a HEAD's response says of what is stored for its URL.
    enum HeadFinding: Equatable {
        /// Nothing.
        case none
        /// That it still holds, and may take the response's fields.
        case holds
        /// That it has changed.
        case changed
    }

    /// What a HEAD's response says of what is stored for its URL.
    ///
    /// [RFC 9111, section 4.3.5](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.5)
    static func finding(
        of head: WebResponse,
        _ request: WebRequest,
        about stored: StoredResponse
    ) -> HeadFinding {
        guard head.status == 200, stored.status == 200, !stored.isKeptForOfflineUse,
            VaryingFields.match(stored, request)
        else { return .none }
        let fields = head.headerFields
        for name in [HTTPField.Name.eTag, .lastModified, .contentLength] {
            if let new = fields[name], let old = stored.headerFields[name], new != old { return .changed }
        }
        return .holds
    }
}
