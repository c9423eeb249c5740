import CCurl
import Glibc

/// The addresses that a fetcher may connect to; protects services that load URLs of untrusted users (SSRF).
///
/// It is checked for the address of each socket, after name resolution and at every redirect, so that a name
/// that resolves differently the second time (DNS rebinding) does not get past it. A `PageLoader` checks
/// cached responses too, by the address that was stored with them: a response from an address that is not
/// allowed or, as behind a proxy, not known is not served, no matter which loader stored it.
public struct AllowedAddresses: Sendable, Equatable {
    private let isRestricted: Bool
    private var exceptions: [AddressRange] = []

    /// Every address.
    public static let all = AllowedAddresses(isRestricted: false)

    /// The addresses of the public internet.
    ///
    /// Left out are loopback, private, link-local, shared (carrier-grade NAT), multicast, reserved and documentation
    /// addresses, the metadata services of clouds, and IPv6 addresses that hold one of these (mapped, NAT64) or may
    /// lead to one (6to4, Teredo).
    public static let publicInternet = AllowedAddresses(isRestricted: true)

    private init(isRestricted: Bool) {
        self.isRestricted = isRestricted
    }

    /// A copy that also allows a range of addresses, such as "10.1.0.0/16", "fd00::/8" or "127.0.0.1"; nil if
    /// the text is not a range.
    public func allowing(_ range: String) -> AllowedAddresses? {
        guard let range = AddressRange(range) else { return nil }
        var copy = self
        copy.exceptions.append(range)
        return copy
    }

    /// Whether any address is refused.
    var isRestricting: Bool { isRestricted }

    /// Whether a response from an address may be used; nil is an unknown address.
    func allows(_ address: String?) -> Bool {
        guard isRestricted else { return true }
        return address.flatMap { SocketAddress($0) }.map { allows($0) } ?? false
    }

    /// Whether an address may be connected to.
    func allows(_ address: SocketAddress) -> Bool {
        guard isRestricted else { return true }
        let address = address.unmapped
        return address.isPublic || exceptions.contains { $0.contains(address) }
    }
}

/// An IP address in binary form.
struct SocketAddress: Sendable, Equatable {
    /// 4 bytes or 16, in network order.
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses "192.0.2.1" or "2001:db8::1".
    init?(_ text: String) {
        var buffer = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &buffer) == 1 {
            bytes = Array(buffer[..<4])
        } else if unsafe inet_pton(AF_INET6, text, &buffer) == 1 {
            bytes = buffer
        } else {
            return nil
        }
    }

    /// The address that the system is about to connect to; nil if it is not an IP address.
    init?(_ address: UnsafePointer<sockaddr>, length: Int) {
        let bytes = unsafe UnsafeRawBufferPointer(start: address, count: length)
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET where length >= 8: unsafe self.bytes = Array(bytes[4..<8])
        case AF_INET6 where length >= 24: unsafe self.bytes = Array(bytes[8..<24])
        default: return nil
        }
    }

    /// The IPv4 address inside an IPv4-mapped one (::ffff:0:0/96), which the system connects to; else the address.
    var unmapped: SocketAddress {
        guard bytes.count == 16, bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) else {
            return self
        }
        return SocketAddress(bytes: Array(bytes[12...]))
    }

    /// Whether the address is one of the public internet's.
    var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialIPv4.contains { $0.contains(self) } }
        // NAT64 leads to the IPv4 address at its end: RFC 6052.
        if Self.nat64?.contains(self) == true { return SocketAddress(bytes: Array(bytes[12...])).isPublic }
        return Self.globalUnicast?.contains(self) == true && !Self.specialIPv6.contains { $0.contains(self) }
    }

    /// The special-purpose ranges of IANA's registry, and addresses of cloud platform services.
    private static let specialIPv4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        // Azure's platform service.
        "168.63.129.16",
    ].compactMap(AddressRange.init)

    /// Contains all global unicast addresses; not unique-local, link-local, multicast or loopback ones.
    private static let globalUnicast = AddressRange("2000::/3")

    /// The ranges in `globalUnicast` that are not public: protocol assignments (Teredo, ORCHID,
    /// benchmarking), documentation, 6to4.
    private static let specialIPv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
        .compactMap(AddressRange.init)

    private static let nat64 = AddressRange("64:ff9b::/96")
}

extension SocketAddress: CustomStringConvertible {
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(truncatingIfNeeded: text.count)) != nil else {
            return "?"
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A range of addresses: those with a common prefix (CIDR).
struct AddressRange: Sendable, Equatable {
    private let address: SocketAddress
    private let prefixLength: Int

    /// Parses "10.0.0.0/8"; an address alone stands for itself.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = SocketAddress(String(parts[0])) else { return nil }
        var length = address.bytes.count * 8
        if parts.count == 2 {
            guard let given = Int(bounded: parts[1]), 0...length ~= given else { return nil }
            length = given
        }
        self.address = address
        prefixLength = length
    }

    func contains(_ other: SocketAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let (whole, rest) = prefixLength.quotientAndRemainder(dividingBy: 8)
        guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
        return rest == 0 || (other.bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
    }
}
