package import WebDocument
package import WebStandards

/// The policies of a page, all of which have to allow what it loads.
///
/// [Content Security Policy Level 3](https://www.w3.org/TR/CSP3/)
package struct ContentPolicies: Sendable {
    /// One policy: the sources that each directive allows.
    private struct Policy {
        var directives: [String: PolicySources] = [:]
        /// The tag that it is in force after; those of a header field are in force for all.
        let start: Int
    }

    private var policies: [Policy] = []
    /// What they say: one that says the same as one before it adds nothing.
    private var texts: Set<String> = []
    private let page: WebURL?

    /// How many are looked at.
    private static let maximumCount = 64

    /// None: everything is allowed.
    package init() { page = nil }

    /// Those of a response.
    ///
    /// - Parameters:
    ///   - fields: The values of its fields Content-Security-Policy.
    ///   - page: The page's URL.
    package init(fields: [String], page: WebURL) {
        self.page = page
        for field in fields {
            for text in field.split(separator: ",") { add(String(text), after: -1) }
        }
    }

    /// Adds what a `meta` says, which is in force for what comes after it.
    mutating func add(_ text: String, after tag: Int) {
        guard policies.count < Self.maximumCount, texts.insert(text).inserted else { return }
        var policy = Policy(start: tag)
        for directive in text.split(separator: ";").prefix(256) {
            let words = directive.utf8.split(whereSeparator: \.isASCIIWhitespace)
            guard let first = words.first else { continue }
            let name = String(asciiLowercasing: first)
            // The first of a name counts.
            if policy.directives[name] == nil {
                policy.directives[name] = PolicySources(
                    words.dropFirst().prefix(PolicySources.maximumCount).map { String(Substring($0)) }
                )
            }
        }
        policies.append(policy)
    }

    /// The same for a page inside of the page, all of which they are in force for.
    var forFrame: ContentPolicies {
        var inner = self
        inner.policies = policies.map { Policy(directives: $0.directives, start: -1) }
        return inner
    }

    /// Whether there are any.
    var isEmpty: Bool { policies.isEmpty }

    // MARK: - Resources

    /// Whether all of them allow a resource.
    ///
    /// - Parameters:
    ///   - url: Its URL.
    ///   - kind: What it is for.
    ///   - nonce: The `nonce` of the element that loads it.
    ///   - tag: The number of the tag of that element; nil for what comes after all.
    /// - Returns: Whether it may be loaded.
    /// - Complexity: O(n) in the length of the policies.
    package func allows(_ url: WebURL, for kind: Link.Kind, nonce: String? = nil, at tag: Int? = nil) -> Bool
    {
        let names = Self.directives(for: kind)
        guard !names.isEmpty else { return true }
        return policies.allSatisfy { policy in
            if let tag, tag < policy.start { return true }
            guard let sources = names.lazy.compactMap({ policy.directives[$0] }).first else { return true }
            return sources.allow(url, page: page, nonce: nonce)
        }
    }

    /// The directives that govern a resource, of which the first counts that is there.
    private static func directives(for kind: Link.Kind) -> [String] {
        switch kind {
        case .image, .icon: ["img-src", "default-src"]
        case .stylesheet: ["style-src-elem", "style-src", "default-src"]
        case .script: ["script-src-elem", "script-src", "default-src"]
        case .font: ["font-src", "default-src"]
        case .media: ["media-src", "default-src"]
        case .frame: ["frame-src", "child-src", "default-src"]
        case .object: ["object-src", "default-src"]
        case .manifest: ["manifest-src", "default-src"]
        default: []
        }
    }

    // MARK: - Styles in the page

    /// Whether all of them allow CSS that is written in the page.
    ///
    /// A hash counts as that of the element: what it is of is not looked at.
    func allowsInlineStyle(nonce: String?, isAttribute: Bool, at tag: Int) -> Bool {
        policies.allSatisfy { policy in
            guard tag >= policy.start else { return true }
            let names = [isAttribute ? "style-src-attr" : "style-src-elem", "style-src", "default-src"]
            guard let sources = names.lazy.compactMap({ policy.directives[$0] }).first else { return true }
            return sources.allowInlineStyle(nonce: nonce, isAttribute: isAttribute)
        }
    }
}
