import WebDocument

/// The candidates of images that a copy omits, so that each image has one.
struct ImageChoice {
    /// The references that are omitted.
    private(set) var dropped: Set<Int> = []
    /// The attributes that are removed.
    private(set) var droppedAttributes: [Int] = []
    /// The number of elements with fewer candidates than before.
    private(set) var count = 0

    /// Chooses for all images of a source.
    ///
    /// Complexity: O(n) in the number of references.
    init(_ source: PageSource, maximumDensity: Double, keepsAll: Bool = false) {
        var start = 0
        let references = source.references
        while start < references.count {
            guard let tag = references[start].place?.tag else {
                start += 1
                continue
            }
            var end = start + 1
            while end < references.count, references[end].place?.tag == tag { end += 1 }
            choose(start..<end, references, source, maximumDensity, keepsAll)
            start = end
        }
    }

    private mutating func choose(
        _ range: Range<Int>,
        _ references: [PlacedReference],
        _ source: PageSource,
        _ maximumDensity: Double,
        _ keepsAll: Bool
    ) {
        let candidates = range.filter {
            references[$0].place?.syntax == .imageCandidate && references[$0].link.kind == .image
        }
        guard let first = candidates.first, let attribute = references[first].place?.attribute else { return }
        let plain = range.first {
            references[$0].link.attribute == "src" && references[$0].place?.syntax == .url
        }
        let usable = candidates.filter { references[$0].link.url != nil }
        guard let place = references[first].place else { return }
        let sizes = source.value("sizes", of: source.tags[place.tag])
        let best = Self.best(usable.map { ($0, references[$0].link.descriptor) }, sizes, maximumDensity)
        if keepsAll {
            let width = SourceSize.largest(sizes)
            dropped.formUnion(
                candidates.filter { index in
                    guard references[index].link.url != nil else { return true }
                    let density = Self.density(references[index].link.descriptor, width)
                    return density > maximumDensity && index != best
                }
            )
            return
        }
        // The image in "src" counts as "1x", unless the others are distinguished by width, or one is "1x".
        let hasWidths = usable.contains { references[$0].link.descriptor?.width != nil }
        let density = best.flatMap { references[$0].link.descriptor?.density } ?? 1
        let isPlainBetter =
            best == nil || !hasWidths && plain != nil && (density < 1 || density > maximumDensity)
        dropped.formUnion(candidates)
        if plain != nil, isPlainBetter {
            droppedAttributes.append(attribute)
            count += 1
            return
        }
        if plain != nil || candidates.count > 1 { count += 1 }
        if let best { dropped.remove(best) }
        if let plain {
            dropped.insert(plain)
            if let attribute = references[plain].place?.attribute { droppedAttributes.append(attribute) }
        }
    }

    /// Returns the number of pixels of a candidate for one of the page's, if the image has that width.
    private static func density(_ descriptor: ImageDescriptor?, _ width: Double) -> Double {
        if let own = descriptor?.width { return Double(own) / width }
        return descriptor?.density ?? 1
    }

    /// Returns the densest candidate up to the maximum, or else the least dense.
    private static func best(
        _ candidates: [(index: Int, descriptor: ImageDescriptor?)],
        _ sizes: String?,
        _ maximum: Double
    ) -> Int? {
        let width = SourceSize.largest(sizes)
        let sorted = candidates.map { ($0.index, density($0.descriptor, width)) }
        let fitting = sorted.filter { $0.1 <= maximum }
        if let best = fitting.max(by: { $0.1 < $1.1 }) {
            // The first of equally dense ones, as in browsers.
            return fitting.first { $0.1 == best.1 }?.0
        }
        return sorted.min { $0.1 < $1.1 }?.0
    }
}
