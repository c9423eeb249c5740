/// Counts of the contents of an element, including all its descendants.
struct ContentSums {
    /// Characters of text, runs of white space counted as one.
    var length = 0
    /// Tenths of characters inside links: those of links within the page count for less.
    var linked = 0
    var commas = 0
    /// Characters inside headings.
    var headings = 0
    /// Characters inside lists.
    var listed = 0
    var paragraphs = 0
    var images = 0
    var items = 0
    var inputs = 0
    var embeds = 0
    /// Whether there is a block that makes a `div` around it a container.
    var breaksDivision = false
    /// Whether all its contents can be in one line.
    var isInline = true
    /// Whether there is a video or a table of data in it, for which it is kept.
    var isKept = false

    /// The part of the text that is inside links, from 0 to 1.
    var linkDensity: Double { length == 0 ? 0 : Double(linked) / Double(length &* 10) }

    /// The part of the text that is inside headings.
    var headingDensity: Double { length == 0 ? 0 : Double(headings) / Double(length) }

    /// Adds the counts of a child, itself included.
    @inline(__always)
    mutating func add(_ child: ContentSums) {
        length += child.length
        linked += child.linked
        commas += child.commas
        headings += child.headings
        listed += child.listed
        paragraphs += child.paragraphs
        images += child.images
        items += child.items
        inputs += child.inputs
        embeds += child.embeds
        breaksDivision = breaksDivision || child.breaksDivision
        isInline = isInline && child.isInline
        isKept = isKept || child.isKept
    }

    /// The counts that an element adds to the one around it, given those of its contents.
    @inline(__always)
    func counting(_ entry: ContentTree.Entry) -> ContentSums {
        var sums = self
        let traits = entry.traits
        sums.breaksDivision = breaksDivision || traits.contains(.breaksDivision)
        sums.isInline = traits.contains(.inline) || traits.contains(.inlineByContent) && isInline
        if traits.contains(.heading) { sums.headings = length }
        if traits.contains(.list) { sums.listed = length }
        switch entry.element {
        case .text:
            sums.length += Int(entry.length)
            sums.commas += Int(entry.commas)
        case .a: sums.linked = length &* (entry.marks.contains(.fragmentLink) ? 3 : 10)
        case .p: sums.paragraphs += 1
        case .img: sums.images += 1
        case .li: sums.items += 1
        case .input: sums.inputs += 1
        case .embed, .object, .iframe: sums.embeds += 1
        default: break
        }
        return sums
    }
}
