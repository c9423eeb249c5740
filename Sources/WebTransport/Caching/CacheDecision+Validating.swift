import HTTPTypes

extension CacheDecision {
    /// The conditional request that revalidates a stored response.
    ///
    /// The caller's own conditions are kept: its entity tags beside the stored one, its date only if the
    /// stored response has no Last-Modified.
    ///
    /// [RFC 9111, section 4.3.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.1)
    static func validation(of stored: StoredResponse, _ request: WebRequest) -> WebRequest {
        var request = request
        if let tag = stored.headerFields[.eTag] {
            let own = request.headerFields[.ifNoneMatch]
            let isIncluded = own.map { own in
                own == "*" || own == tag
                    || EntityTag.list(own).contains { own in EntityTag(tag).map { own == $0 } ?? false }
            }
            switch isIncluded {
            case nil: request.headerFields[.ifNoneMatch] = tag
            case false?: request.headerFields[.ifNoneMatch] = "\(own ?? ""), \(tag)"
            case true?: break
            }
        }
        if let date = stored.headerFields[.lastModified] { request.headerFields[.ifModifiedSince] = date }
        return request
    }

    /// Whether a 304 confirms this stored response.
    ///
    /// A 304 with a different entity tag is about another representation, and one with a strong tag does not
    /// confirm a stored response without a tag. One without a tag confirms it, since it answers a request
    /// with this response's validators. (Weak comparison lets a strong tag confirm a weak one, for servers
    /// that weaken tags when they compress.)
    ///
    /// [RFC 9111, section 4.3.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.4)
    static func isConfirmed(_ stored: StoredResponse, by notModified: WebResponse) -> Bool {
        guard let new = notModified.headerFields[.eTag].flatMap({ EntityTag($0) }) else { return true }
        guard let old = stored.entityTag else { return new.isWeak }
        return new.weakly(matches: old)
    }

    /// A stored response updated with the fields of a 304, or of a HEAD response, that confirms it.
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
        // An Age that was received before the revalidation no longer applies.
        updated.headerFields[.age] = nil
        var seen: [HTTPField.Name] = []
        for field in storedFields(newer.headerFields) where !aboutTheMessage.contains(field.name) {
            if !seen.contains(field.name) {
                seen.append(field.name)
                updated.headerFields[field.name] = nil
            }
            updated.headerFields.append(received: field)
        }
        if newer.headerFields[.date] == nil {
            // RFC 9110, section 6.6.1: the recipient dates a response without Date; with the old date it
            // would be old at once.
            let date = HTTPDate(secondsSince1970: responseTime.secondsSince1970)
            updated.headerFields[.date] = date.description
        }
        return updated
    }

    /// Why a revalidated response must not be stored with its new fields; nil if it may.
    ///
    /// If the server forbids it (`no-store`), the stored response must not be used any more either.
    static func refusalToUpdate(_ request: WebRequest, _ newer: WebResponse) -> StorageRefusal? {
        guard request.storesResponse else { return .requestAsksNot }
        guard newer.tls?.isVerified != false else { return .uncheckedCertificate }
        if CacheControl(fieldLines: request.headerFields[values: .cacheControl]).noStore {
            return .requestNoStore
        }
        let control = CacheControl(fieldLines: newer.headerFields[values: .cacheControl])
        return control.noStore && !control.mustUnderstand ? .noStore : nil
    }

    /// Fields that describe the newer message itself, not the representation.
    private static let aboutTheMessage: [HTTPField.Name] = [
        .contentEncoding, .contentLength, .contentRange, .trailer,
    ]

    // MARK: - HEAD

    /// The validity of a stored response, according to a HEAD response for its URL.
    enum HeadFinding: Equatable {
        /// The HEAD response does not show whether it is valid.
        case none
        /// The stored response is still valid, and may be updated with the HEAD response's fields.
        case holds
        /// The response has changed at the origin.
        case changed
    }

    /// Determines from a HEAD response whether the stored response for its URL is still valid.
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
