import Foundation
import FoundationXML

/// Reads XML that was written for other programs as they do.
final class ElementReader: NSObject, XMLParserDelegate {
    typealias Element = (name: String, attributes: [String: String])

    private var elements: [Element] = []

    static func elements(of text: String) throws -> [Element] {
        let parser = XMLParser(data: Data(text.utf8))
        let reader = ElementReader()
        parser.delegate = reader
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
        return reader.elements
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append((name, attributes))
    }
}
