import WebDocument

/// The facts in an element's attributes that apply to all of its references, looked up once.
struct TagFacts {
    let tag: Int
    let type: String?
    let nonce: String?
    let sandbox: String?
    let isDisabled: Bool
    let hasMarkup: Bool

    /// The attribute whose CSS is scanned, or else the text of the element, and its properties so far.
    private var attribute: Int?
    private var properties: StyleProperties?

    init(_ source: PageSource, _ tag: Int) {
        self.tag = tag
        let element = source.tags[tag]
        type = source.value("type", of: element)
        nonce = source.value("nonce", of: element)
        sandbox = source.value("sandbox", of: element)
        isDisabled = source.attribute("disabled", of: element) != nil
        hasMarkup = source.attribute("srcdoc", of: element) != nil
    }

    /// Whether a value in a style belongs to a property whose resources are requested with CORS.
    mutating func needsCORS(_ place: PlacedReference.Place, _ source: PageSource) -> Bool {
        if let number = place.attribute, source.attributes[number].name != "style" {
            // An attribute of SVG is the property itself.
            return StyleProperties.isNamed(source.attributes[number].name)
        }
        if properties == nil || attribute != place.attribute {
            attribute = place.attribute
            properties = StyleProperties(Self.text(place, source))
        }
        return properties?.needsCORS(at: place.value.lowerBound) ?? false
    }

    private static func text(_ place: PlacedReference.Place, _ source: PageSource) -> ArraySlice<UInt8> {
        if let number = place.attribute {
            let attribute = source.attributes[number]
            return attribute.decoded?.bytes[...] ?? source.bytes[attribute.value]
        }
        let tag = source.tags[place.tag]
        return tag.decodedText?.bytes[...] ?? source.bytes[min(tag.range.upperBound, source.bytes.count)...]
    }
}
