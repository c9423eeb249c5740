internal import WebStandards

/// Which differences a server makes by itself, each time that it makes a page or builds its files.
///
/// Two values are judged together: where both have something random of the same make in the same place, and are equal
/// otherwise, nobody edited anything. What can be counted or named (a page's number, a version, an image's number) is not
/// random.
enum Volatility {
    typealias Bytes = ArraySlice<UInt8>

    /// How sure one has to be, by what the values are.
    struct Demands {
        /// The least length of a run of letters and digits together.
        var mixed = 5
        /// The least length of a number; nil where numbers count always.
        var digits: Int? = 8
        /// The least length of letters alone, in both cases or hexadecimal.
        var letters = 16
    }

    // MARK: - Runs

    /// Whether two values are equal but for random runs of letters and digits.
    static func isRandom(_ old: Bytes, _ new: Bytes, _ demands: Demands) -> Bool {
        var (first, second) = (old, new)
        var differs = false
        while !first.isEmpty || !second.isEmpty {
            let (left, right) = (first.prefix(while: isRun), second.prefix(while: isRun))
            if !left.elementsEqual(right) {
                guard isRandomPair(left, right, demands) else { return false }
                differs = true
            }
            first = first.dropFirst(left.count)
            second = second.dropFirst(right.count)
            let (gap, other) = (first.prefix { !isRun($0) }, second.prefix { !isRun($0) })
            guard gap.elementsEqual(other) else { return false }
            first = first.dropFirst(gap.count)
            second = second.dropFirst(other.count)
        }
        return differs
    }

    private static func isRun(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric }

    private static func isRandomPair(_ old: Bytes, _ new: Bytes, _ demands: Demands) -> Bool {
        guard !old.isEmpty, !new.isEmpty else { return false }
        if isNumber(old), isNumber(new) {
            guard let least = demands.digits else { return false }
            return min(old.count, new.count) >= least
        }
        // What servers make is of one length, or both are long.
        guard old.count == new.count || min(old.count, new.count) >= 16 else {
            // Words with something random behind them: "chunkA1b2".
            return false
        }
        // "jquery3" and "jquery4", "IMG2041" and "IMG2087": a name and its number.
        if let (name, number) = nameAndNumber(old), let (other, second) = nameAndNumber(new), name.count >= 2,
            name.elementsEqual(other), min(number.count, second.count) < 8
        {
            return false
        }
        if looksRandom(old, demands), looksRandom(new, demands) { return true }
        // "eivcr3" and "476vbd": what looks like a name and its number beside something random of the same length.
        return (looksRandom(old, demands) || looksRandom(new, demands)) && isMixed(old, demands)
            && isMixed(new, demands)
    }

    private static func isMixed(_ run: Bytes, _ demands: Demands) -> Bool {
        run.count >= demands.mixed && run.contains(where: \.isASCIIDigit)
            && run.contains(where: \.isASCIIAlpha)
    }

    /// Whether a run of letters and digits is likely to be made by a machine.
    static func looksRandom(_ run: Bytes, _ demands: Demands = Demands()) -> Bool {
        let digits = run.count(where: \.isASCIIDigit)
        if digits == run.count { return demands.digits.map { run.count >= $0 } ?? false }
        if digits > 0 {
            guard run.count >= demands.mixed else { return false }
            if run.count >= 8, run.allSatisfy(\.isLowerHexDigit) { return true }
            // "part12", "blue500": a name with a number that one would write.
            if let (name, number) = nameAndNumber(run), name.count >= 4, number.count <= 4, isOneCase(name) {
                return false
            }
            return true
        }
        guard run.count >= demands.letters else { return false }
        return run.allSatisfy { $0.isLowerHexDigit } || changesOfCase(run) >= 4
    }

    private static func isNumber(_ run: Bytes) -> Bool { run.allSatisfy(\.isASCIIDigit) }

    private static func nameAndNumber(_ run: Bytes) -> (name: Bytes, number: Bytes)? {
        let name = run.prefix(while: \.isASCIIAlpha)
        let number = run.dropFirst(name.count)
        guard !name.isEmpty, !number.isEmpty, isNumber(number) else { return nil }
        return (name, number)
    }

    private static func isOneCase(_ run: Bytes) -> Bool {
        let upper = run.dropFirst().count { $0 < 0x60 }
        return upper == 0 || upper == run.count - 1
    }

    private static func changesOfCase(_ run: Bytes) -> Int {
        zip(run, run.dropFirst()).count { ($0 ^ $1) & 0x20 != 0 }
    }

    // MARK: - Values

    /// Whether a value is a token: long, of one piece, of letters and digits mixed.
    static func isOpaque(_ value: Bytes, least: Int = 16) -> Bool {
        guard value.count >= least else { return false }
        var (digits, letters) = (0, 0)
        for byte in value {
            if byte.isASCIIDigit {
                digits += 1
            } else if byte.isASCIIAlpha {
                letters += 1
            } else if !Self.tokenMarks.contains(byte) {
                return false
            }
        }
        if digits == value.count { return value.count >= least }
        return digits > 0 && letters > 0 || changesOfCase(value) >= 6
    }

    private static let tokenMarks = Array("+/=_-.:~|%".utf8)

    /// Whether a name says that its value is made anew each time.
    static func isTokenName(_ name: String) -> Bool {
        let name = name.lowercased().filter { $0 != "-" && $0 != "_" }
        return [
            "csrf", "xsrf", "token", "nonce", "viewstate", "eventvalidation", "formbuildid", "captcha",
            "requestid",
        ]
        .contains { name.contains($0) } || isSessionName(name)
    }

    /// Whether a parameter's name says that its value is a session.
    static func isSessionName(_ name: String) -> Bool {
        let name = name.lowercased().filter { $0 != "-" && $0 != "_" }
        return ["phpsessid", "sid", "cfid", "cftoken", "zenid", "osid", "s", "ssid", "visitorid", "visitid"]
            .contains(name)
            || name.contains("sess") || name.contains("csrf") || name.contains("xsrf")
            || name.contains("nonce")
            || name.hasSuffix("sid") || name.hasSuffix("token")
    }

    /// Names of parameters that choose what is delivered, whatever their values.
    private static let choosingNames: Set<String> = [
        "id", "p", "page", "q", "query", "w", "h", "width", "height", "size", "lang", "format", "quality",
        "fit", "crop",
        "name", "family", "url", "src", "module", "load", "dpr", "offset", "limit", "n", "i", "x", "y",
    ]

    // MARK: - URLs

    /// Whether two references differ in sessions alone, or, of a resource, in cache-busting and build hashes.
    static func isVolatileURL(_ old: Bytes, _ new: Bytes, isResource: Bool) -> Bool {
        let (first, second) = (parts(old), parts(new))
        guard first.fragment.elementsEqual(second.fragment) else { return false }
        if !first.path.elementsEqual(second.path) {
            var demands = Demands()
            demands.mixed = 4
            demands.digits = isResource ? 10 : nil
            guard isResource, isRandom(first.path, second.path, demands) else { return false }
        }
        guard first.parameters.count == second.parameters.count else { return false }
        for (left, right) in zip(first.parameters, second.parameters) {
            guard left.name.elementsEqual(right.name) else {
                // A bare value: "style.css?1699999".
                guard isResource, left.value.isEmpty, right.value.isEmpty, isBusting(left.name),
                    isBusting(right.name)
                else { return false }
                continue
            }
            if left.value.elementsEqual(right.value) { continue }
            let name = String(decoding: left.name, as: UTF8.self)
            if isSessionName(name), min(left.value.count, right.value.count) >= 8,
                isOpaque(left.value, least: 8),
                isOpaque(right.value, least: 8)
            {
                continue
            }
            guard isResource, !choosingNames.contains(name.lowercased()), isBusting(left.value),
                isBusting(right.value)
            else { return false }
        }
        return true
    }

    /// Whether a parameter of a resource may be there so that caches miss: a number, a version, a hash.
    private static func isBusting(_ value: Bytes) -> Bool {
        guard !value.isEmpty, value.contains(where: \.isASCIIDigit) || value.count >= 6 else { return false }
        return value.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2E || $0 == 0x2D || $0 == 0x5F }
    }

    struct Parts {
        var path: Bytes = []
        var parameters: [(name: Bytes, value: Bytes)] = []
        var fragment: Bytes = []
    }

    /// A reference's path (with what stands before it), parameters and fragment.
    static func parts(_ url: Bytes) -> Parts {
        var parts = Parts()
        var rest = url
        if let mark = rest.firstIndex(of: 0x23) {
            parts.fragment = rest[mark...]
            rest = rest[..<mark]
        }
        var query: Bytes = []
        if let mark = rest.firstIndex(of: 0x3F) {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        // ";jsessionid=…" of the last segment.
        if let mark = rest.firstIndex(of: 0x3B) {
            parts.path = rest[..<mark]
            for pair in rest[mark...].split(separator: 0x3B) { parts.parameters.append(parameter(pair)) }
        } else {
            parts.path = rest
        }
        for pair in query.split(whereSeparator: { $0 == 0x26 || $0 == 0x3B }) {
            parts.parameters.append(parameter(pair))
        }
        return parts
    }

    private static func parameter(_ pair: Bytes) -> (name: Bytes, value: Bytes) {
        guard let mark = pair.firstIndex(of: 0x3D) else { return (pair, []) }
        return (pair[..<mark], pair[pair.index(after: mark)...])
    }

    /// A resource's reference with all that may be random masked: equal for what is likely to be the same resource.
    static func stableKey(_ url: Bytes) -> [UInt8] {
        let parts = parts(url)
        var key: [UInt8] = []
        var rest = parts.path
        var demands = Demands()
        demands.mixed = 4
        while !rest.isEmpty {
            let run = rest.prefix(while: isRun)
            if looksRandom(run, demands) { key.append(0x2A) } else { key += run }
            rest = rest.dropFirst(run.count)
            let gap = rest.prefix { !isRun($0) }
            key += gap
            rest = rest.dropFirst(gap.count)
        }
        for parameter in parts.parameters where !parameter.value.isEmpty {
            key.append(0x26)
            key += parameter.name
        }
        return key
    }

    // MARK: - Classes

    /// Whether two lists of classes have the same, in any order, but for build hashes.
    static func classes(_ old: Bytes, _ new: Bytes) -> (isSame: Bool, isVolatile: Bool) {
        var first = old.split(whereSeparator: \.isASCIIWhitespace)
        var second = new.split(whereSeparator: \.isASCIIWhitespace)
        guard first.count == second.count else {
            return (Set(first.map { Array($0) }) == Set(second.map { Array($0) }), false)
        }
        let (has, hasToo) = (Set(first.map { Array($0) }), Set(second.map { Array($0) }))
        if has == hasToo { return (true, false) }
        first.removeAll { hasToo.contains(Array($0)) }
        second.removeAll { has.contains(Array($0)) }
        guard first.count == second.count else { return (false, false) }
        // Those of one make stand together once their random parts are left out.
        let makes = first.map { ($0, make($0)) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }
        let others = second.map { ($0, make($0)) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }
        for (left, right) in zip(makes, others) {
            // Behind their prefixes even what looks like a name and its number is a hash: "sc-hnuty1".
            let areGenerated = left.1 == right.1 && isGenerated(left.0) && isGenerated(right.0)
            guard areGenerated || isRandom(left.0, right.0, classDemands) else { return (false, false) }
        }
        return (true, true)
    }

    private static let classDemands = Demands(mixed: 4, digits: 6, letters: 8)

    /// What build tools put before a hash: styled-components, Emotion, styled-jsx, Svelte, Astro.
    private static let generatedPrefixes = ["sc-", "css-", "emotion-", "jsx-", "svelte-", "astro-"].map {
        Array($0.utf8)
    }

    private static func generatedPrefix(_ name: Bytes) -> [UInt8]? {
        generatedPrefixes.first { name.starts(with: $0) }
    }

    /// Whether a class is such a prefix and a hash: letters and digits, or letters of both cases.
    private static func isGenerated(_ name: Bytes) -> Bool {
        guard let prefix = generatedPrefix(name) else { return false }
        let hash = name.dropFirst(prefix.count)
        return hash.count >= 5 && hash.allSatisfy(isRun)
            && (hash.contains(where: \.isASCIIDigit) || changesOfCase(hash) > 0)
    }

    private static func make(_ name: Bytes) -> [UInt8] {
        if isGenerated(name), let prefix = generatedPrefix(name) { return prefix + [0x2A] }
        var make: [UInt8] = []
        var rest = name
        while !rest.isEmpty {
            let run = rest.prefix(while: isRun)
            if looksRandom(run, classDemands) || isMixed(run, classDemands) {
                make.append(0x2A)
            } else {
                make += run
            }
            rest = rest.dropFirst(run.count)
            let gap = rest.prefix { !isRun($0) }
            make += gap
            rest = rest.dropFirst(gap.count)
        }
        return make
    }
}
