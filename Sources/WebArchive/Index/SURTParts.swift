import WebStandards

/// A URL as written, taken apart without judging it.
struct SURTParts {
    /// In lower case.
    private(set) var scheme: [UInt8]
    private(set) var host: ArraySlice<UInt8> = []
    private(set) var port: ArraySlice<UInt8> = []
    private(set) var path: ArraySlice<UInt8> = []
    private(set) var query: ArraySlice<UInt8> = []

    /// Takes a URL apart; one without a scheme is one of http.
    init(_ url: [UInt8]) {
        var rest = url[...]
        if !Self.isAuthority(rest), let length = Self.schemeLength(rest) {
            scheme = rest.prefix(length).map(\.asciiLowercased)
            rest = rest.dropFirst(length + 1)
            let isHTTP = scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
            if isHTTP { dropRepeats(of: &rest) }
        } else {
            scheme = Array("http".utf8)
            rest = "//".utf8 + rest
        }
        rest = rest.prefix { $0 != UInt8(ascii: "#") }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") }
            setAuthority(authority)
            rest = rest.dropFirst(authority.count)
        }
        path = rest
    }

    /// Takes the host from where it is in "http:host/path" and "http:////host/path".
    mutating func takeHostOfPath() {
        let rest = path.drop { $0 == UInt8(ascii: "/") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        setAuthority(authority)
        path = rest.dropFirst(authority.count)
        if path.isEmpty { path = [UInt8(ascii: "/")] }
    }

    private mutating func setAuthority(_ authority: ArraySlice<UInt8>) {
        var rest = authority
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) { rest = rest[(at + 1)...] }
        while rest.last == UInt8(ascii: ":") { rest.removeLast() }
        if let open = rest.firstIndex(of: UInt8(ascii: "[")) {
            let inside = rest[(open + 1)...]
            host = inside.prefix { $0 != UInt8(ascii: "]") }
            port = inside.dropFirst(host.count + 1).drop { $0 == UInt8(ascii: ":") }
        } else {
            host = rest.prefix { $0 != UInt8(ascii: ":") }
            port = rest.dropFirst(host.count + 1)
        }
        // A port is a number: "080" equals "80", and 0 is no port.
        if let number = Int(bounded: port), number <= 65535, port.allSatisfy(\.isASCIIDigit) {
            port = number == 0 ? [] : Array(String(number).utf8)[...]
        }
    }

    /// Passes over "http://" as often as it is there, and keeps the last scheme.
    private mutating func dropRepeats(of rest: inout ArraySlice<UInt8>) {
        while rest.starts(with: "//".utf8) {
            let inner = rest.dropFirst(2)
            if inner.starts(with: "http://".utf8) {
                scheme = Array("http".utf8)
            } else if inner.starts(with: "https://".utf8) {
                scheme = Array("https".utf8)
            } else {
                return
            }
            rest = inner.dropFirst(scheme.count + 1)
        }
    }

    /// The bytes of the scheme, without its colon; nil if there is none.
    private static func schemeLength(_ url: ArraySlice<UInt8>) -> Int? {
        guard url.first?.isASCIIAlpha == true else { return nil }
        let name = url.prefix {
            $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: ".")
        }
        return url.dropFirst(name.count).first == UInt8(ascii: ":") ? name.count : nil
    }

    /// Whether it is a host with a port, as CONNECT has it: "example.com:443".
    private static func isAuthority(_ url: ArraySlice<UInt8>) -> Bool {
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let port = url[(colon + 1)...]
        guard (1...5).contains(port.count), port.allSatisfy(\.isASCIIDigit) else { return false }
        let name = url[..<colon]
        return name.contains(UInt8(ascii: ".")) || name.elementsEqual("localhost".utf8)
    }
}
