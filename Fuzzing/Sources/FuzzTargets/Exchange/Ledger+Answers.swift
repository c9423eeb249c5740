import HTTPTypes

@testable import WebLoader

/// What has to hold of what a caller gets.
extension Ledger {
    /// Looks at what a caller got.
    func check(_ response: WebResponse, to load: Int, _ limits: LoadLimits) {
        let request = loads[load]
        let describing =
            "\(request.httpMethod) \(request.url) by \(request.cachePolicy.name): "
            + "\(response.status ?? 0) from \(response.source.rawValue)"
        demand(response.body.count <= limits.maximumBodySize, "\(describing): more than the limit")
        demand(response.redirects.count <= limits.maximumRedirects, "\(describing): too many redirects")
        demand(
            response.interimResponses.count <= limits.maximumInterimResponses,
            "\(describing): too many interim responses"
        )
        checkRedirects(response, request, describing)
        let last = last(response, request)
        if response.status == 304 {
            demand(
                last.headerFields[.ifNoneMatch] != nil || last.headerFields[.ifModifiedSince] != nil,
                "\(describing): a 304 to who asked without a condition"
            )
        }
        let isStored = response.source != .network
        if isStored {
            demand(
                request.cachePolicy.readsCache,
                "\(describing): from the cache, which is to be passed over"
            )
            if response.status == 206 || response.status == 416 {
                demand(
                    last.headerFields[.range] != nil
                        || serial(response).map { sent[$0].status == 416 } ?? true,
                    "\(describing): a part to who asked for all"
                )
            }
        }
        // The server may have had the field left out, by Connection for one.
        guard let serial = serial(response) else { return }
        demand(sent.indices.contains(serial), "\(describing): it was never sent")
        let key = StoredResponse.key(for: response.url)
        checkOrigin(serial, key, last, load, response, describing)
        let start =
            response.status == 206
            ? Int(
                response.headerFields[values: .contentRange].first.flatMap { ContentRange($0) }?.positions
                    .lowerBound ?? 0
            )
            : 0
        let candidates =
            [serial]
            + sent.indices.reversed().filter {
                $0 != serial && StoredResponse.key(for: sent[$0].request.url) == key
            }
        guard let parts = MarkedBody.serials(of: response.body, from: min(start, 1 << 40), among: candidates)
        else {
            // What is sent in a coding that nobody knows comes as it is.
            if response.headerFields[.contentEncoding] != nil { return }
            violation("\(describing): its body was never sent for \(key), from \(start)")
        }
        for part in parts where part != serial { checkOrigin(part, key, last, load, response, describing) }
        checkParts(parts, response, describing)
    }

    /// The request that was answered in the end.
    private func last(_ response: WebResponse, _ request: WebRequest) -> WebRequest {
        var request = request
        request.url = response.url
        return request
    }

    private func serial(_ response: WebResponse) -> Int? {
        HTTPField.Name("X-Serial").flatMap { response.headerFields[values: $0].first }.flatMap { Int($0) }
    }

    private func checkRedirects(_ response: WebResponse, _ request: WebRequest, _ describing: String) {
        demand(
            request.followsRedirects
                || response.redirects.allSatisfy { $0.source == .strictTransportSecurity },
            "\(describing): a redirect was followed"
        )
        var url = request.url
        for redirect in response.redirects {
            demand(
                redirect.url.withoutFragment == url.withoutFragment,
                "\(describing): a redirect from \(redirect.url), not from \(url)"
            )
            guard let location = redirect.headerFields[values: .location].first,
                let next = try? WebURL(location, base: redirect.url)
            else { violation("\(describing): a redirect to nowhere") }
            var expected = next
            if redirect.source == .strictTransportSecurity {
                expected = redirect.url
                expected.setProtocol("https")
            }
            url = expected
        }
        demand(
            response.url.withoutFragment == url.withoutFragment,
            "\(describing): the answer is of \(response.url), not of \(url)"
        )
    }

    /// Looks whether a response that was sent may answer a request.
    private func checkOrigin(
        _ serial: Int,
        _ key: String,
        _ request: WebRequest,
        _ load: Int,
        _ response: WebResponse,
        _ describing: String
    ) {
        let origin = sent[serial]
        demand(origin.isWhole, "\(describing): response \(serial) did not come in whole")
        demand(
            StoredResponse.key(for: origin.request.url) == key,
            "\(describing): response \(serial) is of \(origin.request.url)"
        )
        let isReused = response.source != .network || response.cacheVerdict?.outcome == .shared
        guard isReused else { return }
        demand(
            origin.request.headerFields[.authorization] == request.headerFields[.authorization]
                || !response.redirects.isEmpty,
            "\(describing): response \(serial) was for other credentials"
        )
        // What came for this load is for it, whatever it says of others.
        guard origin.load != load else { return }
        demand(origin.isVerified, "\(describing): response \(serial) came from nobody knows whom")
        demand(origin.request.storesResponse, "\(describing): response \(serial) was not to be stored")
        let isOffline =
            request.cachePolicy == .returnCacheDataElseLoad || request.cachePolicy == .returnCacheDataDontLoad
        if !(isOffline && origin.request.keepsForOfflineUse) {
            demand(
                !Self.forbidsStoring(origin.fields, origin.status)
                    && !Self.says("no-store", origin.request.headerFields),
                "\(describing): response \(serial) said no-store"
            )
        }
        checkVary(origin, request, describing)
    }

    private func checkVary(_ origin: Sent, _ request: WebRequest, _ describing: String) {
        guard let name = HTTPField.Name("X-A"),
            origin.fields[values: .vary].contains(where: {
                $0.lowercased().split(separator: ",").contains { $0 == "x-a" }
            })
        else { return }
        demand(
            origin.request.headerFields[name] == request.headerFields[name],
            "\(describing): response \(origin.serial) varies by X-A, which was another"
        )
    }

    private static func says(_ directive: String, _ fields: HTTPFields) -> Bool {
        fields[values: .cacheControl].contains { line in
            !line.contains("\"")
                && line.lowercased().split(separator: ",").contains { $0.trimmingHTTPWhitespace == directive }
        }
    }

    private static func forbidsStoring(_ fields: HTTPFields, _ status: Int) -> Bool {
        says("no-store", fields)
            && !fields[values: .cacheControl].contains { $0.lowercased().contains("must-understand") }
    }

    /// Looks whether a body is whole, and its parts belong together.
    private func checkParts(_ parts: [Int], _ response: WebResponse, _ describing: String) {
        guard response.source != .network || response.cacheVerdict?.outcome == .shared else {
            demand(parts.count <= 1, "\(describing): made of \(parts)")
            return
        }
        for part in parts.dropFirst() {
            demand(
                Self.haveSameValidator(sent[parts[0]], sent[part]),
                "\(describing): made of \(parts), which are not of one representation"
            )
        }
        if parts.count == 1, response.status == 200, sent[parts[0]].status == 200 {
            demand(
                response.body.count == sent[parts[0]].count,
                "\(describing): \(response.body.count) bytes of \(sent[parts[0]].count)"
            )
        }
    }

    private static func haveSameValidator(_ a: Sent, _ b: Sent) -> Bool {
        if let tag = a.fields[.eTag] { return tag == b.fields[.eTag] && !tag.hasPrefix("W/") }
        return a.fields[.lastModified] != nil && a.fields[.lastModified] == b.fields[.lastModified]
    }
}
