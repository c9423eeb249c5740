import CLibXML2
import Testing

@testable import WebDocument

/// A sink that writes down the tokens it is given, texts joined.
@safe struct RecordedTokens: ~Copyable, HTMLTokenSink {
    let names: HTMLNames
    private let document: UnsafeMutablePointer<xmlDoc>
    private(set) var tokens: [String] = []

    var position: UInt64 = 0
    var isStopped: Bool { false }
    var allowsCDATA: Bool { false }
    var acknowledgedSelfClosing: Bool { true }

    private var text: [UInt8] = []

    /// A sink with names of its own.
    static func make() throws -> RecordedTokens {
        try unsafe RecordedTokens(document: HTMLTreeBuilder.makeDocument())
    }

    private init(document: UnsafeMutablePointer<xmlDoc>) {
        unsafe self.document = document
        unsafe names = HTMLNames(of: document)
    }

    deinit {
        names.destroy()
        unsafe webl_free_tree(document)
    }

    mutating func characters(_ text: HTMLBytes) {
        for index in 0..<text.count { self.text.append(text[index]) }
    }

    mutating func nullCharacter() {
        text.append(0)
    }

    mutating func startTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLTokenizerState? {
        endText()
        var attributes: [String: String] = [:]
        for index in 0..<tag.attributeCount {
            let attribute = tag.attribute(index)
            attributes[try name(attribute.atom)] = attribute.value.string
        }
        tokens.append(Self.startTag(try name(tag.atom), attributes, isSelfClosing: tag.isSelfClosing))
        return nil
    }

    mutating func endTag(_ tag: HTMLTag) throws(HTMLParserError) {
        endText()
        tokens.append("</\(try name(tag.atom))>")
    }

    mutating func comment(_ data: HTMLBytes) {
        endText()
        tokens.append("<!--\(data.string)-->")
    }

    mutating func doctype(_ doctype: HTMLDoctype) {
        endText()
        tokens.append(
            Self.doctype(
                doctype.name?.string,
                doctype.publicIdentifier?.string,
                doctype.systemIdentifier?.string,
                forcesQuirks: doctype.forcesQuirks
            )
        )
    }

    mutating func processingInstruction(target: HTMLBytes, data: HTMLBytes) {
        endText()
        tokens.append("<?\(target.string) \(data.string)?>")
    }

    mutating func endOfFile() {
        endText()
    }

    private mutating func endText() {
        guard !text.isEmpty else { return }
        tokens.append("text \(String(decoding: text, as: UTF8.self))")
        text = []
    }

    private func name(_ atom: UInt32) throws(HTMLParserError) -> String {
        unsafe String(cString: try names.text(atom))
    }

    // MARK: - How tokens are written

    static func startTag(_ name: String, _ attributes: [String: String], isSelfClosing: Bool) -> String {
        let shown = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value.debugDescription)" }
        return "<\(name)\(shown.joined())\(isSelfClosing ? "/" : "")>"
    }

    static func doctype(
        _ name: String?,
        _ publicID: String?,
        _ systemID: String?,
        forcesQuirks: Bool
    ) -> String {
        let parts = [name, publicID, systemID].map { $0.map(\.debugDescription) ?? "-" }
        return "<!DOCTYPE \(parts.joined(separator: " "))\(forcesQuirks ? " quirks" : "")>"
    }
}
