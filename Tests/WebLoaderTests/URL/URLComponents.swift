@testable import WebStandards

extension WebURL {
    /// All components, to tell apart URLs that are equal but were taken apart differently.
    var components: [String?] {
        [
            href, scheme, username, password, host, port.map { "\($0)" }, path, query, fragment,
            hasOpaquePath ? "opaque" : nil, isSpecial ? "special" : nil,
        ]
    }
}
