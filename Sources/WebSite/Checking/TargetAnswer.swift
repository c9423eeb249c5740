import WebStandards

/// The result for a URL that links refer to: enough to judge all of them, also those that are found later.
struct TargetAnswer: Equatable, Sendable {
    /// The known content of the body.
    enum Content: Equatable, Sendable {
        /// The body was not read, and may be a page.
        case unread
        /// The body is no page with targets for fragments.
        case other
        /// A page: the sorted hashes of the names of its elements, and its text if that was stored.
        case page(names: [UInt32], text: [UInt8]?)
    }

    /// The last HTTP status; `nil` if there was no response.
    var status: Int?
    /// Why there is no usable answer, as a stable code.
    var failure: String?
    /// Why the URL was not requested, as a stable code.
    var skipped: String?
    /// Whether the server asked for a longer delay than the check waits for.
    var isPutOff = false
    var redirects: [LinkRedirect] = []
    /// The fragment of the redirects, which replaces a link's own; `nil` if no redirect has one.
    var redirectFragment: String?
    var content = Content.unread
    var origin: CheckedLink.Origin?

    // MARK: - Fragments

    /// How much must be known of the target of a link.
    enum Need: Int, Comparable, Sendable {
        /// Whether it exists.
        case existence
        /// The names of its elements.
        case names
        /// Its text.
        case text

        /// Creates the need of a link; `fragment` is `nil` if the link has no fragment.
        ///
        /// - Parameters:
        ///   - fragment: The fragment.
        ///   - needsTexts: Whether the words of a text directive have to exist on the page.
        init(fragment: String?, needsTexts: Bool = false) {
            guard let fragment else {
                self = .existence
                return
            }
            let parsed = URLFragment(fragment)
            // Every page has a top, which needs no search, and is where links to missing words lead.
            if !parsed.texts.isEmpty, needsTexts || !parsed.isTop {
                self = .text
            } else {
                self = parsed.isTop ? .existence : .names
            }
        }

        static func < (one: Need, other: Need) -> Bool { one.rawValue < other.rawValue }
    }

    /// Whether this answer is enough for the need, or no more can be known.
    func satisfies(_ need: Need) -> Bool {
        guard need > .existence, skipped == nil, failure == nil, LinkVerdict.isSuccess(status) else {
            return true
        }
        switch content {
        case .unread: return false
        case .other: return true
        case .page(_, let text): return need < .text || text != nil
        }
    }

    /// Looks for the target of a fragment.
    ///
    /// - Parameters:
    ///   - fragment: The fragment.
    ///   - needsTexts: Whether the words of a text directive have to exist on the page. If they do not, browsers use
    ///     the rest of the fragment ([Select the indicated
    ///     part](https://html.spec.whatwg.org/multipage/browsing-the-web.html#select-the-indicated-part)).
    ///   - steps: The remaining budget of bytes of text to compare.
    /// - Returns: The result; `nil` without a fragment, if the target is not a page, and if the text was not found
    ///   within the budget.
    func result(
        of fragment: String?,
        needsTexts: Bool = false,
        steps: inout Int
    ) -> CheckedLink.FragmentResult? {
        guard let fragment, case .page(let names, let text) = content else { return nil }
        let parsed = URLFragment(redirectFragment ?? fragment)
        let isNamed = parsed.names.contains { Self.contains(names, Self.hash($0)) } || parsed.isTop
        guard !parsed.texts.isEmpty, needsTexts || !isNamed else { return isNamed ? .ok : .missing }
        guard let text else { return nil }
        let searchable = SearchableText(bytes: text)
        for directive in parsed.texts {
            guard let isThere = searchable.contains(directive, steps: &steps) else { return nil }
            if isThere { return .ok }
        }
        return .missing
    }

    /// Returns the hash of an element's name; a few false matches in a billion are harmless.
    ///
    /// It is the same in all jobs, since results are stored from one job to the next: a page that creates colliding
    /// names only falsifies its own results.
    static func hash(_ name: String) -> UInt32 { UInt32(truncatingIfNeeded: nameHash.hash(name)) }

    private static let nameHash = KeyHash(k0: 0x6E61_6D65, k1: 0x6C69_6E6B)

    private static func contains(_ sorted: [UInt32], _ hash: UInt32) -> Bool {
        var range = sorted.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if sorted[middle] == hash { return true }
            range = sorted[middle] < hash ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    // MARK: - In the database

    private static let tag: UInt8 = 1

    var encoded: [UInt8] {
        var encoder = CheckEncoder(Self.tag)
        encoder.add(status ?? 0)
        encoder.add(failure)
        encoder.add(skipped)
        encoder.add(isPutOff ? 1 : 0)
        encoder.add(redirects)
        encoder.add(origin?.rawValue)
        switch content {
        case .unread: encoder.add(0)
        case .other: encoder.add(1)
        case .page(let names, let text):
            encoder.add(text == nil ? 2 : 3)
            encoder.add(names.count)
            for name in names { encoder.add(hash: name) }
            if let text { encoder.add(text) }
        }
        encoder.add(redirectFragment)
        return encoder.bytes
    }

    init() {}

    init?(encoded: [UInt8]?) {
        guard var decoder = CheckDecoder(encoded, Self.tag), let status = decoder.number(),
            let failure = decoder.optionalText(), let skipped = decoder.optionalText(),
            let isPutOff = decoder.number(), let redirects = decoder.hops(),
            let origin = decoder.optionalText(), let form = decoder.number()
        else { return nil }
        self.status = status == 0 ? nil : status
        self.failure = failure
        self.skipped = skipped
        self.isPutOff = isPutOff > 0
        self.redirects = redirects
        self.origin = origin.flatMap(CheckedLink.Origin.init(rawValue:))
        switch form {
        case 0: content = .unread
        case 1: content = .other
        case 2, 3:
            guard let names = decoder.hashes() else { return nil }
            let text = form == 3 ? decoder.data() : nil
            content = .page(names: names, text: text)
        default: return nil
        }
        // Jobs of earlier versions end here.
        redirectFragment = decoder.optionalText() ?? nil
    }
}
