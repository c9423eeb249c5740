/// The positions of a URL record's components in its serialisation.
///
///     https://user:pass@example.com:1234/foo/bar?baz#qux
///          |      |    |          |    |        |   |
///          |      |    |          |    |        |   fragmentStart: the "#", or the end
///          |      |    |          |    |        queryStart: the "?", or fragmentStart
///          |      |    |          |    pathStart
///          |      |    |          hostEnd: what lies between it and pathStart is ":" and the port
///          |      |    hostStart
///          |      usernameEnd: a ":" here starts a password, an "@" ends the credentials
///          schemeEnd: the ":"
///
/// A URL whose host is null has usernameEnd, hostStart and hostEnd right after the scheme's ":"; between them and
/// pathStart there may be the "/." that the serializer puts before a path that starts with "//".
struct URLLayout: Sendable {
    var schemeEnd: UInt32 = 0
    var usernameEnd: UInt32 = 0
    var hostStart: UInt32 = 0
    var hostEnd: UInt32 = 0
    var pathStart: UInt32 = 0
    var queryStart: UInt32 = 0
    var fragmentStart: UInt32 = 0
    /// The port, if `hasPort`.
    var port: UInt16 = 0
    var scheme: URLSchemeKind = .notSpecial
    var flags: Flags = []

    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        static let hasHost = Flags(rawValue: 1)
        static let hasPort = Flags(rawValue: 2)
        static let hasOpaquePath = Flags(rawValue: 4)
    }

    var hasHost: Bool { flags.contains(.hasHost) }
    var hasPort: Bool { flags.contains(.hasPort) }
    var hasOpaquePath: Bool { flags.contains(.hasOpaquePath) }

    /// The end of the scheme, and of the authority if there is one.
    var authorityEnd: Int { hasHost ? Int(pathStart) : Int(schemeEnd) + 1 }

    var hostRange: Range<Int> { Int(hostStart)..<Int(hostEnd) }
    var pathRange: Range<Int> { Int(pathStart)..<Int(queryStart) }

    /// Whether the username or the password is not empty.
    var includesCredentials: Bool { hostStart > usernameEnd }
}
