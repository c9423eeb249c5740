import WebStandards

/// What a job knows of a URL that links lead to: enough to judge each of them, also those that are found later.
struct TargetAnswer: Equatable, Sendable {
    /// What the body is known to be.
    enum Content: Equatable, Sendable {
        /// It was not read, and may be a page.
        case unread
        /// No page that fragments could be looked for in.
        case other
        /// A page: what its elements are called, hashed and sorted, and its text where it was kept.
        case page(names: [UInt32], text: [UInt8]?)
    }

    /// The last status of HTTP; nil if there was none.
    var status: Int?
    /// Why there is no answer, or none that counts, by a stable code.
    var failure: String?
    /// Why it was not asked for, by a stable code.
    var skipped: String?
    /// Whether the server said that it wants to be left alone for longer than anybody waits.
    var isPutOff = false
    var redirects: [LinkRedirect] = []
    /// The fragment that a redirect leads to, which counts in place of a link's own; nil if none names one.
    var redirectFragment: String?
    var content = Content.unread
    var origin: CheckedLink.Origin?

    // MARK: - Fragments

    /// How much must be known of what a link leads to.
    enum Need: Int, Comparable, Sendable {
        /// Whether it is there.
        case existence
        /// What its elements are called.
        case names
        /// Its text.
        case text

        /// What a fragment needs; nil is none.
        ///
        /// - Parameters:
        ///   - fragment: The fragment.
        ///   - needsTexts: Whether the words of a text directive have to be there.
        init(fragment: String?, needsTexts: Bool = false) {
            guard let fragment else {
                self = .existence
                return
            }
            let parsed = URLFragment(fragment)
            // Every page has a top, which need not be looked for, and which is where words lead that are not there.
            if !parsed.texts.isEmpty, needsTexts || !parsed.isTop {
                self = .text
            } else {
                self = parsed.isTop ? .existence : .names
            }
        }

        static func < (one: Need, other: Need) -> Bool { one.rawValue < other.rawValue }
    }

    /// Whether this is enough, or no more can be known.
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

    /// Looks for what a fragment names.
    ///
    /// - Parameters:
    ///   - fragment: The fragment.
    ///   - needsTexts: Whether the words of a text directive have to be there. Browsers go where the rest of the fragment leads if they
    ///     are not ([Select the indicated part](https://html.spec.whatwg.org/multipage/browsing-the-web.html#select-the-indicated-part)).
    ///   - steps: How many more bytes of texts may be compared.
    /// - Returns: What is known of it; nil without one, where there is no page, and where its text was not found in so many steps.
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

    /// The hash of an element's name, where a few false hits in a billion do no harm.
    ///
    /// It is the same in all jobs, since results are kept from one to the next: a page that makes names which meet only says of itself
    /// that it has them.
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
