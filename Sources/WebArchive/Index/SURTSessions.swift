import WebStandards

/// Finds the session IDs in URLs that the Internet Archive's canonicalization leaves out.
enum SURTSessions {
    /// Bytes of an ID whose length is not given; there is one to look at wherever its name is.
    private static let maximumID = 256

    /// A query without session IDs; the "&" before one stays.
    static func removed(fromQuery query: [UInt8]) -> [UInt8] {
        var query = query
        for name: StaticString in ["jsessionid=", "phpsessid=", "sid="] {
            remove(name, from: &query) { alphanumerics(query: $0, count: 32) }
        }
        remove("aspsessionid", from: &query) { rest in
            let name = rest.prefix(8)
            guard name.count == 8, name.allSatisfy(\.isASCIIAlpha) else { return nil }
            guard rest.dropFirst(8).first == UInt8(ascii: "=") else { return nil }
            let value = rest.dropFirst(9).prefix(24)
            return value.count == 24 && value.allSatisfy(\.isASCIIAlpha) ? 33 : nil
        }
        remove("cfid=", from: &query) { rest in
            let id = rest.prefix(maximumID).prefix { $0 != UInt8(ascii: "&") }
            let other = rest.dropFirst(id.count)
            guard !id.isEmpty, isSame(other.prefix(9), "&cftoken=") else { return nil }
            let token = other.dropFirst(9).prefix(maximumID).prefix { $0 != UInt8(ascii: "&") }
            return token.isEmpty ? nil : id.count + 9 + token.count
        }
        return query
    }

    /// A path without the session IDs of ASP.NET, "/(S(24 characters))/" and "/(24 characters)/".
    static func removed(fromPath path: [UInt8]) -> [UInt8] {
        guard path.contains(UInt8(ascii: "(")) else { return path }
        var path = path
        for isNamed in [true, false] {
            guard let end = lastRange(of: ".aspx", in: path[...])?.lowerBound else { return path }
            var start = end
            while let slash = path[..<start].lastIndex(of: UInt8(ascii: "/")) {
                start = slash
                let segment = path[(slash + 1)...].prefix { $0 != UInt8(ascii: "/") }
                // A name must be between it and the extension.
                guard segment.endIndex + 1 < end, isSession(segment, isNamed: isNamed) else { continue }
                path.removeSubrange((slash + 1)...segment.endIndex)
                break
            }
        }
        return path
    }

    /// Whether a segment is "(ID)" or, named, "(a(ID)b(ID))".
    private static func isSession(_ segment: ArraySlice<UInt8>, isNamed: Bool) -> Bool {
        guard segment.first == UInt8(ascii: "("), segment.last == UInt8(ascii: ")") else { return false }
        var inside = segment.dropFirst().dropLast()
        guard isNamed else { return inside.count == 24 && inside.allSatisfy(\.isASCIIAlphanumeric) }
        guard !inside.isEmpty else { return false }
        while !inside.isEmpty {
            let id = inside.dropFirst(2).prefix(24)
            guard inside.first?.isASCIIAlpha == true, inside.dropFirst().first == UInt8(ascii: "("),
                id.count == 24, id.allSatisfy(\.isASCIIAlphanumeric),
                inside.dropFirst(26).first == UInt8(ascii: ")")
            else { return false }
            inside = inside.dropFirst(27)
        }
        return true
    }

    /// Removes the last occurrence of a name that is a session ID, with the bytes that belong to it and the "&" behind.
    ///
    /// - Parameters:
    ///   - name: The name, whatever stands before it.
    ///   - query: The query.
    ///   - length: The bytes behind the name that belong to it; nil if it is no session ID.
    private static func remove(
        _ name: StaticString,
        from query: inout [UInt8],
        _ length: (ArraySlice<UInt8>) -> Int?
    ) {
        var limit = query.endIndex
        while let found = lastRange(of: name, in: query[..<limit]) {
            limit = found.upperBound - 1
            guard let count = length(query[found.upperBound...]) else { continue }
            let end = found.upperBound + count
            guard end == query.count || query[end] == UInt8(ascii: "&") else { continue }
            query.removeSubrange(found.lowerBound..<min(end + 1, query.count))
            return
        }
    }

    private static func alphanumerics(query rest: ArraySlice<UInt8>, count: Int) -> Int? {
        let value = rest.prefix(count)
        return value.count == count && value.allSatisfy(\.isASCIIAlphanumeric) ? count : nil
    }

    // MARK: - Search, without regard to case

    private static func isSame(_ bytes: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            unsafe byte.asciiLowercased == name.utf8Start[index]
        }
    }

    private static func lastRange(of name: StaticString, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var start = bytes.endIndex - name.utf8CodeUnitCount
        while start >= bytes.startIndex {
            let range = start..<(start + name.utf8CodeUnitCount)
            if isSame(bytes[range], name) { return range }
            start -= 1
        }
        return nil
    }
}
