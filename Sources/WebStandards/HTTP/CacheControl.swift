/// The directives of a message's Cache-Control field.
///
/// Where a directive is given more than once, its most restrictive value counts. (RFC 9111, section 4.2.1,
/// lets a cache take the first or treat the response as stale; the smallest lifetime never outlives
/// either.) A directive that only restricts holds whatever argument it has; one that permits something is
/// ignored when malformed.
///
/// [RFC 9111, section 5.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2)
package struct CacheControl: Equatable, Sendable {
    /// The name of a directive, in ASCII lowercase.
    struct Name: RawRepresentable, Hashable, Sendable {
        let rawValue: String

        static let immutable = Name(rawValue: "immutable")
        static let maxAge = Name(rawValue: "max-age")
        static let maxStale = Name(rawValue: "max-stale")
        static let minFresh = Name(rawValue: "min-fresh")
        static let mustRevalidate = Name(rawValue: "must-revalidate")
        static let mustUnderstand = Name(rawValue: "must-understand")
        static let noCache = Name(rawValue: "no-cache")
        static let noStore = Name(rawValue: "no-store")
        static let noTransform = Name(rawValue: "no-transform")
        static let onlyIfCached = Name(rawValue: "only-if-cached")
        static let `private` = Name(rawValue: "private")
        static let proxyRevalidate = Name(rawValue: "proxy-revalidate")
        static let `public` = Name(rawValue: "public")
        static let sMaxAge = Name(rawValue: "s-maxage")
        static let staleIfError = Name(rawValue: "stale-if-error")
        static let staleWhileRevalidate = Name(rawValue: "stale-while-revalidate")
    }

    /// The argument of a directive.
    enum Argument: Equatable, Sendable {
        /// Nothing.
        case none

        /// A token, or a quoted string without quotes and escapes: recipients treat them alike.
        case value(String)

        /// Something that the grammar does not allow: a space beside the equals sign, no value, an open
        /// quote.
        case malformed
    }

    package struct Directive: Equatable, Sendable {
        let name: Name
        let argument: Argument
    }

    /// All directives in order, unknown ones and repetitions included.
    package let directives: [Directive]

    /// Parses the values of a message's Cache-Control field lines.
    ///
    /// Each line is parsed for itself, so that a quoted string without an end cannot hide the next line.
    /// A list element that does not start with a directive's name is ignored.
    ///
    /// - Complexity: O(*n*) in the length of the lines.
    package init(fieldLines: [String]) {
        var directives: [Directive] = []
        for line in fieldLines {
            var scanner = FieldScanner(line)
            while true {
                scanner.skip { $0.isHTTPTabOrSpace || $0 == UInt8(ascii: ",") }
                if scanner.isAtEnd { break }
                let name = scanner.collect(while: \.isHTTPToken)
                if !name.isEmpty {
                    let argument = Self.argument(&scanner)
                    directives.append(
                        Directive(name: Name(rawValue: scanner.lowercasedText(name)), argument: argument)
                    )
                }
                // Skips the rest of a malformed element.
                scanner.skipListElement()
            }
        }
        self.directives = directives
    }

    /// Parses what follows a name, up to the end of a well-formed list element.
    private static func argument(_ scanner: inout FieldScanner) -> Argument {
        let argument: Argument
        if !scanner.skip(UInt8(ascii: "=")) {
            argument = .none
        } else if scanner.current == UInt8(ascii: "\"") {
            let (value, isTerminated) = scanner.collectQuotedString()
            guard isTerminated else { return .malformed }
            argument = .value(String(decoding: value, as: UTF8.self))
        } else {
            let token = scanner.collect(while: \.isHTTPToken)
            guard !token.isEmpty else { return .malformed }
            argument = .value(scanner.text(token))
        }
        scanner.skip(while: \.isHTTPTabOrSpace)
        return scanner.isAtEnd || scanner.current == UInt8(ascii: ",") ? argument : .malformed
    }

    // MARK: - Delta-seconds

    /// The largest number of seconds; larger ones are reduced to it.
    static let largestDeltaSeconds: Int64 = 1 << 31

    /// Parses a number of seconds, such as an Age field's, or returns nil for anything but ASCII digits.
    ///
    /// More than 2^31 gives 2^31.
    ///
    /// [RFC 9111, section 1.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-1.2.2)
    package static func deltaSeconds(_ text: String) -> Int64? {
        DeltaSeconds.read(text).map { Int64($0) }
    }

    /// Whether a restricting directive is present, whatever its argument.
    private func isRestricted(by name: Name) -> Bool {
        directives.contains { $0.name == name }
    }

    /// Whether a permitting directive is present and well-formed.
    private func isPermitted(by name: Name) -> Bool {
        directives.contains { $0.name == name && $0.argument != .malformed }
    }

    /// The smallest number of seconds that `name` gives, or nil without the directive; an invalid or missing
    /// argument counts as `invalid`.
    private func smallestSeconds(_ name: Name, invalid: Int64) -> Int64? {
        var smallest: Int64?
        for directive in directives where directive.name == name {
            let seconds = Self.seconds(directive.argument) ?? invalid
            smallest = min(smallest ?? seconds, seconds)
        }
        return smallest
    }

    private static func seconds(_ argument: Argument) -> Int64? {
        guard case .value(let text) = argument else { return nil }
        return deltaSeconds(text)
    }
}

// MARK: - Directives of requests and responses

extension CacheControl {
    /// `max-age` in seconds, 0 to 2^31, or nil without the directive.
    ///
    /// An invalid one counts as 0, that is, as stale.
    package var maxAge: Int64? { smallestSeconds(.maxAge, invalid: 0) }

    /// `no-store`: nothing of this exchange may be stored.
    package var noStore: Bool { isRestricted(by: .noStore) }

    /// `no-transform`: the content must stay as it is.
    var noTransform: Bool { isRestricted(by: .noTransform) }

    /// `stale-if-error` in seconds past freshness, or nil without the directive or with an invalid one.
    ///
    /// [RFC 5861, section 4](https://www.rfc-editor.org/rfc/rfc5861#section-4)
    package var staleIfError: Int64? { grace(.staleIfError) }

    /// The smallest number of seconds that a directive grants past freshness; an invalid one revokes the
    /// grant.
    private func grace(_ name: Name) -> Int64? {
        let seconds = smallestSeconds(name, invalid: -1)
        return seconds == -1 ? nil : seconds
    }
}

// MARK: - Directives of requests

extension CacheControl {
    /// `max-stale` in seconds past freshness, or nil without the directive or with an invalid one.
    ///
    /// Without an argument it accepts any age: `Int64.max`.
    package var maxStale: Int64? {
        var smallest: Int64?
        for directive in directives where directive.name == .maxStale {
            let given = directive.argument == .none ? Int64.max : Self.seconds(directive.argument)
            guard let seconds = given else { return nil }
            smallest = min(smallest ?? seconds, seconds)
        }
        return smallest
    }

    /// `min-fresh` in seconds, or nil without the directive or with none but invalid ones.
    package var minFresh: Int64? {
        directives.lazy.filter { $0.name == .minFresh }.compactMap { Self.seconds($0.argument) }.max()
    }

    /// `only-if-cached`: the origin must not be asked.
    package var onlyIfCached: Bool { isRestricted(by: .onlyIfCached) }
}

// MARK: - Directives of responses

extension CacheControl {
    /// The scope of a directive with an optional list of field names.
    package enum Scope: Equatable, Sendable {
        /// The directive is not there.
        case absent

        /// Only these fields of the message, in ASCII lowercase; never empty.
        case fields([String])

        /// The whole message.
        case message
    }

    /// `no-cache`, in requests and responses: the scope that must not be used without asking the origin.
    ///
    /// [RFC 9111, section 5.2.2.4](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.4)
    package var noCache: Scope { scope(of: .noCache) }

    /// `private`: the scope that a shared cache must not store.
    ///
    /// [RFC 9111, section 5.2.2.7](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.7)
    package var `private`: Scope { scope(of: .private) }

    /// `must-revalidate`: never to be used stale.
    package var mustRevalidate: Bool { isRestricted(by: .mustRevalidate) }

    /// `must-understand`: to be stored only by a cache that knows the status code.
    package var mustUnderstand: Bool { isRestricted(by: .mustUnderstand) }

    /// `proxy-revalidate`: `must-revalidate` for shared caches.
    var proxyRevalidate: Bool { isRestricted(by: .proxyRevalidate) }

    /// `public`: may be stored where it otherwise might not.
    package var `public`: Bool { isPermitted(by: .public) }

    /// `immutable`: not to be revalidated while fresh.
    ///
    /// [RFC 8246, section 2](https://www.rfc-editor.org/rfc/rfc8246#section-2)
    package var immutable: Bool { isPermitted(by: .immutable) }

    /// `s-maxage` in seconds, `max-age` for shared caches, or nil without the directive; an invalid one
    /// counts as 0.
    package var sMaxAge: Int64? { smallestSeconds(.sMaxAge, invalid: 0) }

    /// `stale-while-revalidate` in seconds past freshness, or nil without the directive or with an invalid
    /// one.
    ///
    /// [RFC 5861, section 3](https://www.rfc-editor.org/rfc/rfc5861#section-3)
    package var staleWhileRevalidate: Int64? { grace(.staleWhileRevalidate) }

    /// The union of what all directives of this name apply to; one without valid field names applies to
    /// everything.
    private func scope(of name: Name) -> Scope {
        var fields: [String] = []
        for directive in directives where directive.name == name {
            guard case .value(let list) = directive.argument, let names = Self.fieldNames(list) else {
                return .message
            }
            fields += names
        }
        return fields.isEmpty ? .absent : .fields(fields)
    }

    /// The field names of a comma-separated list in lowercase, or nil for an empty or malformed one.
    private static func fieldNames(_ list: String) -> [String]? {
        var scanner = FieldScanner(list)
        var names: [String] = []
        while true {
            scanner.skip { $0.isHTTPTabOrSpace || $0 == UInt8(ascii: ",") }
            if scanner.isAtEnd { return names.isEmpty ? nil : names }
            let untrimmed = scanner.collect { $0 != UInt8(ascii: ",") }
            let name = scanner.trimmingEnd(of: untrimmed, while: \.isHTTPTabOrSpace)
            guard scanner.isToken(name) else { return nil }
            names.append(scanner.lowercasedText(name))
        }
    }
}
