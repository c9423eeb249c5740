import TestSupport
import Testing
import WebDifference

/// Tests of properties that hold for any two pages.
@Suite struct DifferencePropertyTests {
    private static let words =
        "tea cup leaf pot milk water green black steam spoon sugar kettle lemon honey tray mint".split(
            separator: " "
        ).map(String.init)

    /// A page as blocks of words.
    private static func page(_ blocks: [(tag: String, words: [String])]) -> String {
        var html = ""
        for block in blocks {
            let text = block.words.joined(separator: " ")
            switch block.tag {
            case "li": html += "<ul><li>\(text)</li></ul>"
            case "div":
                html +=
                    "<div><h3>\(block.words[0])</h3><p>\(block.words.dropFirst().joined(separator: " "))</p></div>"
            case "table":
                let cells = block.words.map { "<td>\($0)</td>" }.joined()
                html += "<table><tr>\(cells)</tr><tr>\(cells)</tr></table>"
            default: html += "<\(block.tag)>\(text)</\(block.tag)>"
            }
        }
        return html
    }

    private static func pair(_ seed: Int) -> (String, String) {
        var numbers = SeededGenerator(seed: UInt64(seed))
        func block() -> (tag: String, words: [String]) {
            let tag = ["p", "p", "h2", "li", "div", "table"].randomElement(using: &numbers) ?? "p"
            let count = Int.random(in: 2...12, using: &numbers)
            return (tag, (0..<count).map { _ in Self.words.randomElement(using: &numbers) ?? "" })
        }
        var blocks = (0..<Int.random(in: 0...20, using: &numbers)).map { _ in block() }
        let old = page(blocks)
        for _ in 0..<Int.random(in: 0...6, using: &numbers) {
            guard let index = blocks.indices.randomElement(using: &numbers) else {
                blocks.append(block())
                continue
            }
            switch Int.random(in: 0...3, using: &numbers) {
            case 0: blocks.insert(block(), at: index)
            case 1: blocks.remove(at: index)
            case 2: blocks[index].words[0] = Self.words.randomElement(using: &numbers) ?? ""
            default: blocks.swapAt(index, 0)
            }
        }
        return (old, page(blocks))
    }

    private func counts(_ text: String) -> [String: Int] {
        text.split { !$0.isLetter }.reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    /// The words that a page shows.
    private func words(_ html: String) -> [String: Int] {
        counts(
            html.replacing("<", with: " <").split(separator: "<").map { $0.drop { $0 != ">" } }.joined(
                separator: " "
            )
        )
    }

    @Test(arguments: PropertySeeds.first(200))
    func `applied to the old page's words, the changes give the new page's`(_ seed: Int) throws {
        let (old, new) = Self.pair(seed)
        var options = PageDifference.Options()
        options.keepsWholeText = true
        let difference = try PageDifference(
            from: ParsedPage(html: old),
            to: ParsedPage(html: new),
            options: options
        )
        var all = words(old)
        for change in difference.changes where change.operation != .moved {
            for (word, count) in counts(change.old ?? "") { all[word, default: 0] -= count }
            for (word, count) in counts(change.new ?? "") { all[word, default: 0] += count }
        }
        #expect(all.filter { $0.value != 0 } == words(new))
    }

    @Test(arguments: PropertySeeds.first(100))
    func `the way back is the mirror, and a page is the same as itself`(_ seed: Int) throws {
        let (old, new) = Self.pair(seed)
        let there = try PageDifference(from: ParsedPage(html: old), to: ParsedPage(html: new)).changes
        let back = try PageDifference(from: ParsedPage(html: new), to: ParsedPage(html: old)).changes
        func said(_ kind: String, _ old: String?, _ new: String?) -> String {
            "\(kind): \(old ?? "-") > \(new ?? "-")"
        }
        #expect(
            there.map { said($0.kind.rawValue, $0.old, $0.new) }.sorted()
                == back.map { said($0.kind.rawValue, $0.new, $0.old) }.sorted()
        )
        #expect(try PageDifference(from: ParsedPage(html: new), to: ParsedPage(html: new)).isSame)
    }

    // MARK: - Facts

    /// A page of facts: pictures, links, metadata, fields, words that are set off, rows of a table, JSON-LD.
    private struct Facts {
        /// The values by the facts that they belong to; the keys distinguish them.
        var values: [String: String] = [:]

        init(_ numbers: inout SeededGenerator) {
            for key in ["image0", "image1", "alt0", "alt1", "link0", "link1", "meta0", "meta1", "field0"] {
                values[key] = Self.word(&numbers)
            }
            for row in 0..<4 { for column in 0..<2 { values["cell\(row)\(column)"] = Self.word(&numbers) } }
            for key in ["json0", "json1", "text0", "text1", "text2"] { values[key] = Self.word(&numbers) }
        }

        static func word(_ numbers: inout SeededGenerator) -> String {
            (DifferencePropertyTests.words.randomElement(using: &numbers) ?? "")
                + (DifferencePropertyTests.words.randomElement(using: &numbers) ?? "")
        }

        mutating func edit(_ numbers: inout SeededGenerator) {
            guard let key = values.keys.sorted().randomElement(using: &numbers) else { return }
            values[key] = Self.word(&numbers)
        }

        private func value(_ key: String) -> String { values[key] ?? "" }

        var html: String {
            let rows = (0..<4).map { "<tr><td>row\($0)<td>\(value("cell\($0)0"))<td>\(value("cell\($0)1"))" }
            let texts = (0..<3).map {
                "<p>Here is what number\($0) has to say: \(value("text\($0)")) and no more of it."
            }
            return """
                <title>T</title><meta name=one content=\(value("meta0"))><meta name=two content=\(value("meta1"))>
                <script type="application/ld+json">{"a":"\(value("json0"))","b":{"c":"\(value("json1"))"}}</script>
                <h1>Head</h1>\(texts.joined())<p>First <a href=/\(value("link0"))>link</a>, second <a href=/\(value("link1"))>link</a>
                <p>First picture <img src=/\(value("image0")).jpg alt=\(value("alt0"))><p>Second picture <img src=/\(value("image1")).jpg alt=\(value("alt1"))>
                <form><input name=f value=\(value("field0"))></form><table><tr><th>k<th>a<th>b\(rows.joined())</table>
                """
        }
    }

    /// The facts of a page as they stand in it, each as often as it does.
    private func facts(_ facts: Facts) -> [String: Int] {
        facts.values.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    @Test(arguments: PropertySeeds.first(200))
    func `applied to the old page's facts, the changes give the new page's`(_ seed: Int) throws {
        var numbers = SeededGenerator(seed: UInt64(seed))
        let old = Facts(&numbers)
        var new = old
        for _ in 0..<Int.random(in: 0...5, using: &numbers) { new.edit(&numbers) }
        let difference = try PageDifference(from: ParsedPage(html: old.html), to: ParsedPage(html: new.html))
        var all = facts(old)
        // Words that are not facts are on both sides of a change, and in no addition or removal.
        let known = Set(old.values.values).union(new.values.values)
        func parts(_ text: String?) -> [String] {
            (text ?? "").split { !$0.isLetter }.map(String.init).filter(known.contains)
        }
        for change in difference.changes where change.operation != .moved {
            for part in parts(change.old) { all[part, default: 0] -= 1 }
            for part in parts(change.new) { all[part, default: 0] += 1 }
        }
        #expect(all.filter { $0.value != 0 } == facts(new), "\(difference.changes.map(\.summary))")
    }
}
