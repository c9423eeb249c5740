import WebStandards

/// The state of a target between its requests.
struct CheckProgress: Equatable, Sendable {
    /// The URL of the next request; `nil` if it is the target's own.
    var url: String?
    /// Whether the next request is a GET, because HEAD was not enough.
    var isGet = false
    /// The most that the known links need to know of the target.
    var need = TargetAnswer.Need.existence
    var redirects: [LinkRedirect] = []
    /// The fragment of the last redirect that had one; `nil` if none had.
    var fragment: String?

    private static let tag: UInt8 = 2

    var encoded: [UInt8] {
        var encoder = CheckEncoder(Self.tag)
        encoder.add(url)
        encoder.add(isGet ? 1 : 0)
        encoder.add(need.rawValue)
        encoder.add(redirects)
        encoder.add(fragment)
        return encoder.bytes
    }

    init() {}

    /// Decodes a state; it is empty if the bytes are missing or damaged.
    init(encoded: [UInt8]?) {
        guard var decoder = CheckDecoder(encoded, Self.tag), let url = decoder.optionalText(),
            let isGet = decoder.number(), let need = decoder.number(), let redirects = decoder.hops()
        else { return }
        self.url = url
        self.isGet = isGet > 0
        self.need = TargetAnswer.Need(rawValue: need) ?? .existence
        self.redirects = redirects
        // Jobs of earlier versions end here.
        fragment = decoder.optionalText() ?? nil
    }

    /// The limit of redirects in a row, as in the Fetch standard.
    static let maximumRedirects = 20

    /// Whether following a redirect to a URL would be a loop.
    ///
    /// It is one if the URL redirected twice before; a site that first sets a cookie redirects to the same URL once.
    func isLoop(to url: String) -> Bool { redirects.count { $0.url == url } >= 2 }
}
