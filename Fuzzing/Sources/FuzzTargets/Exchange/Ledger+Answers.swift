import HTTPTypes

@testable import WebLoader

/// The invariants of the responses that a caller receives.
extension Ledger {
    /// Checks a response that a caller received.
    func check(_ response: WebResponse, to load: Int, _ limits: LoadLimits) {
        let request = loads[load]
        let describing =
            "\(request.httpMethod) \(request.url) by \(request.cachePolicy.name): "
            + "\(response.status?.code ?? 0) from \(response.source.rawValue)"
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
        // The field may have been removed, by Connection for example.
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
        let own = sent[serial]
        if request.httpMethod == "GET", own.request.httpMethod == "GET", response.status == 200,
            own.status == 200
        {
            demand(
                response.body.count == own.count,
                "\(describing): \(response.body.count) bytes of \(own.count), which came with its fields"
            )
        }
        let candidates = candidates(serial, key, last, load, response)
        guard let parts = MarkedBody.serials(of: response.body, from: min(start, 1 << 40), among: candidates)
        else {
            // A body in an unknown coding is returned unchanged.
            if response.headerFields[.contentEncoding] != nil { return }
            violation("\(describing): its body was never sent for \(key), from \(start)")
        }
        for part in parts where part != serial { checkOrigin(part, key, last, load, response, describing) }
        checkParts(parts, response, describing)
    }

    /// The responses that the body may have been sent with, the likeliest first.
    ///
    /// A short body, or a short part of one, is ambiguous. It has to be valid for one of its candidates; so the
    /// responses that may answer the request come first.
    private func candidates(
        _ serial: Int,
        _ key: String,
        _ request: WebRequest,
        _ load: Int,
        _ response: WebResponse
    ) -> [Int] {
        // Responses to HEAD, and a 304, have no body.
        let sources = sent.indices.reversed().filter {
            StoredResponse.key(for: sent[$0].request.url) == key && !(sent[$0].isWhole && sent[$0].count == 0)
        }
        func isLikely(_ serial: Int) -> Bool {
            let origin = sent[serial]
            let hasLength =
                origin.status != 200 || response.status != 200 || origin.count == response.body.count
            return hasLength && fault(of: serial, key, request, load, response) == nil
        }
        return sources.filter { $0 == serial }
            + sources.filter { $0 != serial && isLikely($0) }
            + sources.filter { $0 != serial && !isLikely($0) }
    }

    /// The request that received the final response.
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
                try? expected.setProtocol("https")
            }
            url = expected
        }
        demand(
            response.url.withoutFragment == url.withoutFragment,
            "\(describing): the answer is of \(response.url), not of \(url)"
        )
    }

    /// Ends the process if a sent response may not answer a request.
    private func checkOrigin(
        _ serial: Int,
        _ key: String,
        _ request: WebRequest,
        _ load: Int,
        _ response: WebResponse,
        _ describing: String
    ) {
        if let fault = fault(of: serial, key, request, load, response) {
            violation("\(describing): response \(serial) \(fault)")
        }
    }

    /// The reason why a sent response may not answer a request; `nil` if it may.
    private func fault(
        of serial: Int,
        _ key: String,
        _ request: WebRequest,
        _ load: Int,
        _ response: WebResponse
    ) -> String? {
        let origin = sent[serial]
        guard origin.isWhole else { return "did not come in whole" }
        guard StoredResponse.key(for: origin.request.url) == key else { return "is of \(origin.request.url)" }
        let isReused = response.source != .network || response.cacheVerdict?.outcome == .shared
        guard isReused else { return nil }
        guard
            origin.request.headerFields[.authorization] == request.headerFields[.authorization]
                || !response.redirects.isEmpty
        else { return "was for other credentials" }
        // A response to this load may answer it, regardless of its directives for other loads.
        guard origin.load != load else { return nil }
        guard origin.isVerified else { return "came from nobody knows whom" }
        guard origin.request.storesResponse else { return "was not to be stored" }
        let isOffline =
            request.cachePolicy == .returnCacheDataElseLoad || request.cachePolicy == .returnCacheDataDontLoad
        let saysNoStore =
            Self.forbidsStoring(origin.fields, origin.status)
            || Self.says("no-store", origin.request.headerFields)
        guard !saysNoStore || isOffline && origin.request.keepsForOfflineUse else { return "said no-store" }
        return variesByOther(origin, request) ? "varies by X-A, which was another" : nil
    }

    private func variesByOther(_ origin: Sent, _ request: WebRequest) -> Bool {
        guard let name = HTTPField.Name("X-A"),
            origin.fields[values: .vary].contains(where: {
                $0.lowercased().split(separator: ",").contains { $0 == "x-a" }
            })
        else { return false }
        return origin.request.headerFields[name] != request.headerFields[name]
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

    /// Checks that a body is whole, and that its parts belong together.
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
