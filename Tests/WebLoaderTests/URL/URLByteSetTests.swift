import Testing

@testable import WebStandards

/// Every set, spelled out as the standard does.
struct URLByteSetTests {
    private static let c0Control = Set<UInt8>(0..<0x20).union([0x7F])

    private static func bytes(_ text: String) -> Set<UInt8> { Set(text.utf8) }

    private func members(_ set: URLByteSet) -> Set<UInt8> {
        Set((0..<0x80).filter { set.contains($0) })
    }

    @Test func percentEncodeSetsAreTheStandards() {
        let fragment = Self.c0Control.union(Self.bytes(" \"<>`"))
        let query = Self.c0Control.union(Self.bytes(" \"#<>"))
        let path = query.union(Self.bytes("?^`{}"))
        let userinfo = path.union(Self.bytes("/:;=@[\\]|"))
        let component = userinfo.union(Self.bytes("$%&+,"))
        #expect(members(.c0Control) == Self.c0Control)
        #expect(members(.fragment) == fragment)
        #expect(members(.query) == query)
        #expect(members(.specialQuery) == query.union(Self.bytes("'")))
        #expect(members(.path) == path)
        #expect(members(.userinfo) == userinfo)
        #expect(members(.component) == component)
        #expect(members(.formURLEncoded) == component.union(Self.bytes("!'()~")))
    }

    @Test func parserSetsAreTheStandards() {
        let forbiddenHost = Self.bytes("\0\t\n\r #/:<>?@[\\]^|")
        #expect(members(.forbiddenHost) == forbiddenHost)
        #expect(members(.forbiddenDomain) == forbiddenHost.union(Self.c0Control).union(Self.bytes("%")))
        let inScheme = (0..<0x80).filter {
            URLByte.isAlpha($0) || URLByte.isDigit($0) || Self.bytes("+-.").contains($0)
        }
        #expect(members(.endsScheme) == Set(0..<0x80).subtracting(inScheme))
        #expect(members(.delimitsAuthority) == Self.bytes("/?#@\\"))
        #expect(members(.interruptsPath) == members(.path).union(Self.bytes("/")))
        #expect(members(.interruptsSpecialPath) == members(.path).union(Self.bytes("/\\")))
    }

    @Test func everySetHasAllThatIsNotASCII() {
        for byte in UInt8(0x80)...0xFF {
            #expect(URLByteSet.c0Control.contains(byte) && URLByteSet.endsScheme.contains(byte))
        }
    }
}
