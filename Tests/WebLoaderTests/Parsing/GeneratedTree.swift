/// A random tree whose elements stand where HTML's content models let them stand, and its markup as the standard's
/// serialisation has it.
indirect enum GeneratedTree {
    case text(String)
    case comment(String)
    case element(String, [(name: String, value: String)], [GeneratedTree])

    // MARK: - Markup

    /// The markup; what is not in HTML's namespace is written by the same rules.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments>
    var markup: String { markup(inside: "") }

    private func markup(inside parent: String) -> String {
        switch self {
        case .text(let text):
            return ["style", "script", "xmp", "iframe", "noembed", "noframes"].contains(parent)
                ? text : Self.escaped(text)
        case .comment(let text): return "<!--\(text)-->"
        case .element(let name, let attributes, let children):
            let written = attributes.map { " \($0.name)=\"\(Self.escapedValue($0.value))\"" }.joined()
            if Self.void.contains(name) { return "<\(name)\(written)>" }
            return "<\(name)\(written)>\(children.map { $0.markup(inside: name) }.joined())</\(name)>"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\u{A0}", with: "&nbsp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }

    private static func escapedValue(_ text: String) -> String {
        escaped(text).replacing("\"", with: "&quot;")
    }

    private static let void = ["br", "hr", "img", "input", "wbr", "embed", "col", "source"]

    // MARK: - Making one

    /// Returns content that is allowed in a `body`.
    static func flow(_ random: inout SeededSequence, depth: Int) -> [GeneratedTree] {
        joined(
            random.list(1 + random.next(4)) { random in
                guard depth > 0 else { return text(&random) }
                switch random.next(14) {
                case 0, 1, 2:
                    let name = random.pick([
                        "div", "section", "article", "blockquote", "main", "figure", "details", "custom-name",
                    ])
                    return element(name, &random, flow(&random, depth: depth - 1))
                case 3, 4:
                    return element(
                        random.pick(["p", "h1", "h6", "address"]),
                        &random,
                        phrasing(&random, depth: depth - 1)
                    )
                case 5:
                    let items = random.list(random.next(4)) {
                        element("li", &$0, flow(&$0, depth: depth - 1))
                    }
                    return element(random.pick(["ul", "ol", "menu"]), &random, items)
                case 6:
                    let items = random.list(random.next(4)) {
                        element($0.pick(["dt", "dd"]), &$0, flow(&$0, depth: depth - 1))
                    }
                    return element("dl", &random, items)
                case 7: return table(&random, depth: depth)
                case 8:
                    // A line feed that begins it is lost, so that none does.
                    return element(
                        "pre",
                        &random,
                        [.text("x\n  \(word(&random))")] + phrasing(&random, depth: 0)
                    )
                case 9: return element("hr", &random, [])
                case 10: return foreign(&random)
                case 11: return raw(&random)
                case 12: return .comment(random.pick(["", " c ", "a--b", "a->b", "<p>", "-", " --"]))
                default: return phrasing(&random, depth: depth - 1).first ?? text(&random)
                }
            }
        )
    }

    /// Returns content that is allowed in a `p`.
    private static func phrasing(
        _ random: inout SeededSequence,
        depth: Int,
        inLink: Bool = false
    ) -> [GeneratedTree] {
        joined(
            random.list(1 + random.next(3)) { random in
                guard depth > 0 else { return text(&random) }
                switch random.next(9) {
                case 0, 1, 2:
                    let name = random.pick([
                        "b", "i", "em", "span", "code", "small", "u", "q", "label", "mark", "sub", "font",
                    ])
                    return element(name, &random, phrasing(&random, depth: depth - 1, inLink: inLink))
                // A link in a link ends the outer one.
                case 3 where !inLink:
                    return element("a", &random, phrasing(&random, depth: depth - 1, inLink: true))
                case 4: return element(random.pick(["br", "img", "input", "wbr", "embed"]), &random, [])
                case 5:
                    let options = random.list(random.next(3)) { element("option", &$0, [text(&$0)]) }
                    return element("select", &random, options)
                case 6: return element("textarea", &random, [.text("x\(word(&random))<b>")])
                case 7:
                    return element("ruby", &random, [text(&random), element("rt", &random, [text(&random)])])
                default: return text(&random)
                }
            }
        )
    }

    private static func table(_ random: inout SeededSequence, depth: Int) -> GeneratedTree {
        var parts: [GeneratedTree] = []
        if random.one(of: 3) { parts.append(element("caption", &random, phrasing(&random, depth: 1))) }
        if random.one(of: 3) { parts.append(element("colgroup", &random, [element("col", &random, [])])) }
        parts += random.list(1 + random.next(2)) { random in
            let rows = random.list(random.next(3)) { random in
                let cells = random.list(random.next(3)) {
                    element($0.pick(["td", "th"]), &$0, flow(&$0, depth: depth - 1))
                }
                return element("tr", &random, cells)
            }
            return element(random.pick(["tbody", "thead", "tfoot"]), &random, rows)
        }
        return element("table", &random, parts)
    }

    private static func foreign(_ random: inout SeededSequence) -> GeneratedTree {
        if random.one(of: 2) {
            return element(
                "math",
                &random,
                [element("mi", &random, [text(&random)]), element("mspace", &random, [])]
            )
        }
        let inner = [element("p", &random, [text(&random)])]
        return element(
            "svg",
            &random,
            [
                element("path", &random, []), element("linearGradient", &random, []),
                element("foreignObject", &random, inner), element("title", &random, [text(&random)]),
            ]
        )
    }

    private static func raw(_ random: inout SeededSequence) -> GeneratedTree {
        switch random.next(4) {
        case 0: element("script", &random, [.text("if (a < b && c) x = '<p>' // \(word(&random))")])
        case 1: element("style", &random, [.text("a > b { c: \"<\" }")])
        case 2: element("iframe", &random, [.text("<b>&amp;")])
        default: element("template", &random, [element("p", &random, [text(&random)])])
        }
    }

    private static func element(
        _ name: String,
        _ random: inout SeededSequence,
        _ children: [GeneratedTree]
    ) -> GeneratedTree {
        var attributes: [(name: String, value: String)] = []
        for name in ["id", "class", "title", "data-x", "@click"] where random.one(of: 5) {
            attributes.append(
                (name, random.pick(["", "a", "a b", "\"'<>&", "&amp;", "\n\t", "ä\u{A0}😀", "=`"]))
            )
        }
        return .element(name, attributes, children)
    }

    private static func text(_ random: inout SeededSequence) -> GeneratedTree { .text(word(&random)) }

    private static func word(_ random: inout SeededSequence) -> String {
        random.pick([
            "word", "two words", "ä😀", "&", "&amp;", "a < b > c", "\u{A0}", " ", "\n", "&notin;", "\"'",
            "\u{FEFF}x",
        ])
    }

    /// Texts beside each other are one.
    private static func joined(_ trees: [GeneratedTree]) -> [GeneratedTree] {
        trees.reduce(into: []) { joined, tree in
            if case .text(let next) = tree, case .text(let last)? = joined.last {
                joined[joined.count - 1] = .text(last + next)
            } else {
                joined.append(tree)
            }
        }
    }
}

/// Markup that no content model lets be.
enum TagSoup {
    static func markup(_ random: inout SeededSequence) -> String {
        random.list(1 + random.next(30)) { random in
            switch random.next(10) {
            case 0, 1, 2, 3: "<\(random.pick(names))\(attributes(&random))>"
            case 4, 5: "</\(random.pick(names))>"
            case 6:
                random.pick([
                    "<!--c-->", "<!-->", "<!doctype html>", "<?x y>", "</>", "<!x>", "<![CDATA[x]]>", "<",
                    "&", "<!--",
                ])
            default:
                random.pick([
                    "x", " ", "\n", "word", "&amp;", "&lt;b>", "\u{0}", "\r", "&#13;", "ä", "</", "\n\n",
                ])
            }
        }.joined()
    }

    private static func attributes(_ random: inout SeededSequence) -> String {
        random.one(of: 4)
            ? random.pick([
                " a=1", " =x", " a\"b=c", " type=hidden", " <", "/", " a='\"'", " encoding=text/html",
            ]) : ""
    }

    private static let names = [
        "a", "b", "i", "p", "div", "table", "tr", "td", "tbody", "caption", "col", "colgroup", "form",
        "button", "select", "option",
        "optgroup", "pre", "textarea", "title", "script", "style", "svg", "math", "mi", "annotation-xml",
        "foreignObject", "desc",
        "template", "h1", "li", "ul", "dd", "nobr", "br", "img", "input", "body", "html", "head", "frameset",
        "font", "ruby", "rt",
        "rb", "noscript", "iframe", "xmp", "applet", "hr", "section", "x", "a<b", "meta", "image", "listing",
        "address", "option",
    ]
}
