import WebStandards

/// What is known of a target while it waits for its next request.
struct CheckProgress: Equatable, Sendable {
    /// What is asked next, in place of the target itself; nil for the target.
    var url: String?
    /// Whether it is asked for by GET, since HEAD was not enough.
    var isGet = false
    /// How much the links that are known need.
    var need = TargetAnswer.Need.existence
    var redirects: [LinkRedirect] = []
    /// The fragment that the last redirect to name one leads to; nil if none did.
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

    /// Nothing is known where there are no such bytes.
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

    /// How many redirects are followed: the Fetch standard's number.
    static let maximumRedirects = 20

    /// Whether going on to a URL would be going round.
    ///
    /// It was met twice before then: once is what a site does that first sets a cookie.
    func isLoop(to url: String) -> Bool { redirects.count { $0.url == url } >= 2 }
}
