import HTTPTypes

extension ParsedPage {
    /// The problems and possible improvements of the page that its markup and its response show.
    ///
    /// Parse errors are among them if they were requested (`PageLoader.Configuration.reportsParseErrors`). The markup of
    /// documents other than HTML is not checked.
    public var findings: Findings {
        let links = links
        return kept(\.findings) { _ in findings(links) }
    }

    private func findings(_ links: [Link]) -> Findings {
        var collector = FindingCollector()
        if let document, kind == .html { collector.collect(document) }
        var findings = Findings()
        addLimits(to: &findings)
        if kind == .html { addEncoding(document, to: &findings) }
        addRobots(to: &findings)
        findings.add(collector.findings)
        if let document { Self.addStructuredData(document, to: &findings) }
        addLinks(links, collector.targets, to: &findings)
        for error in parseErrors.errors {
            findings.add(.parseError, error.name, at: error.position)
        }
        if parseErrors.isTruncated { findings.isTruncated = true }
        findings.sort()
        return findings
    }

    private func addLimits(to findings: inout Findings) {
        for limit in limits { findings.add(.pageLimit, limit.message) }
    }

    // MARK: - The encoding

    private func addEncoding(_ document: Document?, to findings: inout Findings) {
        guard let encoding, encoding.source != .text else { return }
        let name = encoding.encoding.name
        if encoding.source == .fallback {
            findings.add(.charsetMissing, "the encoding is not declared; assumed \(name)")
        }
        let start = Array(response.body.prefix(1024))
        if encoding.source == .meta, EncodingDetection.html(start.span).source != .meta {
            findings.add(.charsetLate, "\(name) is declared after the first 1,024 bytes")
        }
        guard let (label, node) = document?.declaredEncoding else { return }
        let place = node.sourcePosition
        guard let declared = TextEncoding(label: label) else {
            findings.add(.charsetConflict, "\"\(label)\" is not a known encoding", element: "meta", at: place)
            return
        }
        // The standard reads UTF-16 here as UTF-8, since the declaration itself could be read.
        let meant = declared.name.hasPrefix("UTF-16") ? TextEncoding.utf8 : declared
        guard meant != encoding.encoding else { return }
        findings.add(
            .charsetConflict,
            "the page declares \(declared.name), but \(encoding.source.rawValue) declares \(name)",
            element: "meta",
            at: place
        )
    }

    private func addRobots(to findings: inout Findings) {
        guard let name = HTTPField.Name("X-Robots-Tag") else { return }
        for value in response.values(name) where FindingCollector.forbidsIndexing(value) {
            findings.add(.robotsBlocked, "X-Robots-Tag is \(FindingCollector.shortened(value))")
        }
    }

    // MARK: - Structured data

    private static func addStructuredData(_ document: Document, to findings: inout Findings) {
        for block in document.jsonLD {
            if let failure = block.failure {
                // The failure's columns count bytes of the script's text; the page's columns count characters
                // of its lines.
                findings.add(
                    .structuredDataInvalid,
                    "the JSON-LD cannot be read: \(failure.message)",
                    element: "script",
                    at: SourcePosition(line: failure.line, column: nil)
                )
            }
            for repair in block.repairs {
                findings.add(
                    .structuredDataRepaired,
                    "the JSON-LD has a \(repair.words)",
                    element: "script",
                    at: block.position
                )
            }
        }
    }

    // MARK: - Links

    private func addLinks(_ links: [Link], _ targets: Set<String>, to findings: inout Findings) {
        let isSecure = response.url.scheme == "https"
        let document = response.url.withoutFragment
        var canonical: Link?
        for link in links where !link.isInert {
            guard let url = link.url else {
                let reference = FindingCollector.shortened(link.reference)
                findings.add(
                    link.kind == .canonical ? .canonicalInvalid : .linkInvalid,
                    "\"\(reference)\" is not a valid URL: \(link.failure.map { "\($0)" } ?? "")",
                    link
                )
                continue
            }
            if link.kind == .canonical {
                if let first = canonical, first.url != url {
                    findings.add(
                        .canonicalConflict,
                        "the canonical URL is \(url) here, but \(first.reference) before",
                        link
                    )
                }
                canonical = canonical ?? link
            }
            if isSecure, url.scheme == "http" { addInsecure(link, url, to: &findings) }
            if link.kind == .navigation {
                if url.scheme == "javascript" { findings.add(.linkScript, "the link runs a script", link) }
                if url.withoutFragment == document, let fragment = url.fragment,
                    !Self.leadsSomewhere(fragment, targets), kind == .html
                {
                    findings.add(.linkFragment, "no element has the ID \"\(fragment)\"", link)
                }
            }
        }
    }

    private func addInsecure(_ link: Link, _ url: WebURL, to findings: inout Findings) {
        if link.kind == .form {
            findings.add(.formInsecure, "the form is sent to \(url)", link)
        } else if link.kind == .image || link.kind == .media {
            findings.add(.contentMixedPassive, "\(url) is shown on an HTTPS page", link)
        } else if [.script, .stylesheet, .frame, .object, .font, .manifest].contains(link.kind) {
            findings.add(.contentMixed, "\(url) is loaded by an HTTPS page", link)
        }
    }

    /// Whether a fragment leads to a place on the page.
    ///
    /// <https://html.spec.whatwg.org/multipage/browsing-the-web.html#select-the-indicated-part>
    private static func leadsSomewhere(_ fragment: String, _ targets: Set<String>) -> Bool {
        let fragment = withoutDirective(fragment)
        if fragment.isEmpty || targets.contains(fragment) { return true }
        let decoded = String(decoding: PercentDecoding.decode(fragment.utf8.span), as: UTF8.self)
        return targets.contains(decoded) || decoded.isEqualIgnoringASCIICase(to: "top")
    }

    /// A fragment without its directive for the browser, such as a text to look for.
    ///
    /// <https://wicg.github.io/scroll-to-text-fragment/#fragment-directive-delimiter>
    private static func withoutDirective(_ fragment: String) -> String {
        var rest = fragment.utf8[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            if rest[colon...].starts(with: ":~:".utf8) {
                return String(decoding: fragment.utf8[..<colon], as: UTF8.self)
            }
            rest = rest[fragment.utf8.index(after: colon)...]
        }
        return fragment
    }
}

extension Findings {
    fileprivate mutating func add(_ code: Finding.Code, _ message: String, _ link: Link) {
        add(code, message, element: link.element, at: link.position)
    }
}

extension Document {
    /// The label of the first `meta` element that declares an encoding.
    fileprivate var declaredEncoding: (label: String, node: TreeNode)? {
        guard mayHaveName("meta") else { return nil }
        var walk = TreeWalk(inside: node)
        while let element = walk.nextElement() {
            guard element.hasName("meta"), element.isHTMLElement else { continue }
            if let label = element.attribute("charset") { return (label, element) }
            if element.attribute("http-equiv")?.isEqualIgnoringASCIICase(to: "content-type") == true,
                let content = element.attribute("content"), let encoding = TextEncoding(metaContent: content)
            {
                return (encoding.name, element)
            }
        }
        return nil
    }
}

extension JSONRepair {
    /// The repaired mistake in words, as in "trailing comma".
    fileprivate var words: String {
        switch self {
        case .comment: "comment"
        case .controlCharacter: "control character that is not escaped"
        case .trailingComma: "trailing comma"
        case .unknownEscape: "backslash before a character that needs no escape"
        case .semicolon: "semicolon at its end"
        case .severalValues: "second value after the first"
        }
    }
}
