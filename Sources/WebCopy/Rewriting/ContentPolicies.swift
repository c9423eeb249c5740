package import WebDocument
package import WebStandards

/// The policies of a page, all of which have to allow what it loads.
///
/// [Content Security Policy Level 3](https://www.w3.org/TR/CSP3/)
package struct ContentPolicies: Sendable {
    /// One policy: the sources that each directive allows.
    private struct Policy {
        var directives: [String: PolicySources] = [:]
        /// The tag after which it is in force; policies of a header field are in force for all tags.
        let start: Int
    }

    private var policies: [Policy] = []
    /// The texts of the policies: one with the same text as an earlier one adds nothing.
    private var texts: Set<String> = []
    private let page: WebURL?

    /// The maximum number of policies that are evaluated.
    private static let maximumCount = 64

    /// Creates no policies: everything is allowed.
    package init() { page = nil }

    /// Creates the policies of a response.
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

    /// Adds the policy of a `meta` element, which is in force for everything after it.
    mutating func add(_ text: String, after tag: Int) {
        guard policies.count < Self.maximumCount, texts.insert(text).inserted else { return }
        var policy = Policy(start: tag)
        for directive in text.split(separator: ";").prefix(256) {
            let words = directive.utf8.split(whereSeparator: \.isASCIIWhitespace)
            guard let first = words.first else { continue }
            let name = String(asciiLowercasing: first)
            // Only the first directive of a name counts.
            if policy.directives[name] == nil {
                policy.directives[name] = PolicySources(
                    words.dropFirst().prefix(PolicySources.maximumCount).map { String(Substring($0)) }
                )
            }
        }
        policies.append(policy)
    }

    /// The policies for a page in a frame of the page, in force for all of it.
    var forFrame: ContentPolicies {
        var inner = self
        inner.policies = policies.map { Policy(directives: $0.directives, start: -1) }
        return inner
    }

    /// Whether there are no policies.
    var isEmpty: Bool { policies.isEmpty }

    // MARK: - Resources

    /// Whether all policies allow a resource.
    ///
    /// - Parameters:
    ///   - url: The resource's URL.
    ///   - kind: The kind of the reference.
    ///   - nonce: The `nonce` of the element that loads it.
    ///   - tag: The number of the tag of that element; `nil` for a resource after all tags.
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

    /// Returns the directives that govern a resource; the first one that is present counts.
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

    /// Whether all policies allow CSS that is written in the page.
    ///
    /// A hash counts as that of the element: the hashed text is not compared.
    func allowsInlineStyle(nonce: String?, isAttribute: Bool, at tag: Int) -> Bool {
        policies.allSatisfy { policy in
            guard tag >= policy.start else { return true }
            let names = [isAttribute ? "style-src-attr" : "style-src-elem", "style-src", "default-src"]
            guard let sources = names.lazy.compactMap({ policy.directives[$0] }).first else { return true }
            return sources.allowInlineStyle(nonce: nonce, isAttribute: isAttribute)
        }
    }
}
