extension SourceTags {
    /// Decodes the texts of the `style` elements of SVG and of XML.
    mutating func decodeStyles(_ decode: Decoder) {
        // One may stand in another, so that each is read again for every one around it.
        var left = 4 * bytes.count
        for (index, node) in styles {
            let isRead = read(index, as: Array(node.childTextContent.utf8), &left, decode)
            tags[index].isMisread = !isRead
            isTruncated = isTruncated || !isRead
        }
    }

    /// Reads the text of an element as far as it is that of the tree; returns false if there is no such part.
    private mutating func read(_ tag: Int, as text: [UInt8], _ left: inout Int, _ decode: Decoder) -> Bool {
        let isRaw = tags[tag].vocabulary == .html && !isXML
        let start = min(tags[tag].range.upperBound, bytes.count)
        for end in ends(of: tag, isRaw: isRaw, &left) {
            let range = start..<max(start, min(end, bytes.count))
            left -= range.count
            guard left >= 0 else { return false }
            let found = self.text(range, isRaw: isRaw, decode)
            if (found?.bytes[...] ?? bytes[range]).elementsEqual(text) {
                tags[tag].decodedText = found
                return true
            }
        }
        return false
    }

    /// Where the tag after this one begins.
    private func end(after tag: Int) -> Int {
        tag + 1 < tags.count ? tags[tag + 1].range.lowerBound : bytes.count
    }

    /// Where the text of an element may end: at the next tag, or at an end tag of another element than those in it,
    /// which ends it or is ignored.
    private func ends(of tag: Int, isRaw: Bool, _ left: inout Int) -> [Int] {
        if tags[tag].isEmptyElement { return [tags[tag].range.upperBound] }
        var ends = [end(after: tag)]
        if isRaw { return ends }
        var open: [String] = []
        for other in tags[(tag + 1)...] {
            left -= 1
            if left < 0 || ends.count == 8 { return ends }
            if !other.isEnd {
                if !other.isEmptyElement { open.append(other.name) }
            } else if let last = open.popLast() {
                // An element that is not nested as written is somewhere else than it seems.
                if last != other.name { return ends }
            } else {
                ends.append(other.range.lowerBound)
                if other.name == tags[tag].name { return ends }
            }
        }
        return ends + [bytes.count]
    }

    /// The text of a piece of the source outside of elements in it; nil where that is what is written.
    private func text(_ range: Range<Int>, isRaw: Bool, _ decode: Decoder) -> SourceText? {
        let isPlain = bytes[range].allSatisfy {
            $0 != 0 && $0 != 0x0D && (isRaw || $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "<"))
        }
        if isPlain { return nil }
        var text = SourceText(at: range.lowerBound)
        var index = range.lowerBound
        var plain = index
        var isCDATA = false
        var depth = 0
        /// Adds what was plain, and goes on after a piece that stands for something else.
        func pass(_ end: Int, _ replacement: [UInt8] = []) {
            if depth == 0 { text.append(bytes[plain..<index]) }
            if depth == 0, !replacement.isEmpty { text.append(replacement, for: index..<end) }
            index = min(end, range.upperBound)
            plain = index
        }
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == 0 {
                pass(index + 1, Array("\u{FFFD}".utf8))
            } else if byte == 0x0D {
                let isPair = index + 1 < range.upperBound && bytes[index + 1] == 0x0A
                pass(index + (isPair ? 2 : 1), [0x0A])
            } else if isRaw {
                index += 1
            } else if isCDATA {
                guard begins("]]>", index) else {
                    index += 1
                    continue
                }
                isCDATA = false
                pass(index + 3)
            } else if byte == UInt8(ascii: "&"), let reference = decode(index, range.upperBound) {
                pass(reference.end, reference.bytes)
            } else if begins("<![CDATA[", index) {
                isCDATA = true
                pass(index + 9)
            } else if begins("<!--", index) {
                pass(endOfComment(index))
            } else if begins("<?", index) {
                pass(end(of: isXML ? "?>" : ">", from: index + 2))
            } else if !isXML, isBogusComment(index) {
                pass(end(of: ">", from: index + 2))
            } else if byte == UInt8(ascii: "<"), let tag = tagBeginning(at: index) {
                let before = depth
                if !tag.isEmptyElement { depth += tag.isEnd ? -1 : 1 }
                let after = depth
                depth = before
                pass(tag.range.upperBound)
                depth = max(0, after)
            } else if !isXML, isUnendedTag(index) {
                pass(range.upperBound)
            } else {
                index += 1
            }
        }
        pass(range.upperBound)
        return text
    }

    /// Where a comment ends.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state>
    private func endOfComment(_ start: Int) -> Int {
        var index = start + 4
        if isXML { return end(of: "-->", from: index) }
        if begins(">", index) { return index + 1 }
        if begins("->", index) { return index + 2 }
        while index < bytes.count {
            if begins("-->", index) { return index + 3 }
            if begins("--!>", index) { return index + 4 }
            index += 1
        }
        return bytes.count
    }

    /// Whether what HTML takes for a comment, up to the next `>`, begins here: `<!x`, `</1`.
    private func isBogusComment(_ index: Int) -> Bool {
        if begins("<!", index) { return true }
        return begins("</", index) && index + 2 < bytes.count && !bytes[index + 2].isASCIIAlpha
    }

    /// Whether a tag begins here that is no tag, since the page ends in it, and no text either.
    private func isUnendedTag(_ index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "<") else { return false }
        let name = bytes[(index + 1)...].first == UInt8(ascii: "/") ? index + 2 : index + 1
        return name < bytes.count && bytes[name].isASCIIAlpha
    }

    private func tagBeginning(at index: Int) -> SourceTag? {
        var low = 0
        var high = tags.count
        while low < high {
            let middle = (low + high) / 2
            if tags[middle].range.lowerBound < index { low = middle + 1 } else { high = middle }
        }
        return low < tags.count && tags[low].range.lowerBound == index ? tags[low] : nil
    }

    /// Whether a text stands at an index.
    func begins(_ text: StaticString, _ index: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        return bytes.count - index >= length
            && (0..<length).allSatisfy { unsafe bytes[index + $0] == text.utf8Start[$0] }
    }

    /// Where the next occurrence of a text ends; the end of the source without one.
    func end(of text: StaticString, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if begins(text, index) { return index + text.utf8CodeUnitCount }
            index += 1
        }
        return bytes.count
    }
}
