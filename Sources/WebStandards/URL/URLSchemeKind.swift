/// The special scheme of a URL, if any.
///
/// <https://url.spec.whatwg.org/#special-scheme>
enum URLSchemeKind: UInt8, Sendable {
    case notSpecial, http, https, ws, wss, ftp, file

    var isSpecial: Bool { self != .notSpecial }

    /// The default port, or nil if the scheme has none.
    var defaultPort: UInt16? {
        switch self {
        case .http, .ws: 80
        case .https, .wss: 443
        case .ftp: 21
        case .file, .notSpecial: nil
        }
    }

    /// The kind of a lower-case scheme of `count` bytes whose bytes are in `packed`, the last one lowest.
    init(packed: UInt64, count: Int) {
        self =
            switch (count, packed) {
            case (4, 0x6874_7470): .http
            case (5, 0x68_7474_7073): .https
            case (2, 0x7773): .ws
            case (3, 0x77_7373): .wss
            case (3, 0x66_7470): .ftp
            case (4, 0x6669_6C65): .file
            default: .notSpecial
            }
    }
}
