import Testing

@testable import WebDocument

/// Documents to select from.
enum SelectorPages {
    /// HTML, in standards mode unless it says otherwise.
    static func html(_ markup: String, doctype: String = "<!DOCTYPE html>") throws -> Document {
        try #require(try InspectionPages.page(doctype + markup).document)
    }

    static func xml(_ markup: String, type: String = "text/xml") throws -> Document {
        try #require(try InspectionPages.page(markup, type: type).document)
    }

    /// The IDs of the elements that match, in their order, separated by spaces; names in place of missing IDs.
    static func ids(
        _ document: Document,
        _ selector: String,
        _ configure: (inout Selector.Options) -> Void = { _ in }
    ) throws -> String {
        var options = Selector.Options()
        configure(&options)
        return try document.querySelectorAll(Selector(selector, options: options))
            .map { $0.attribute("id") ?? $0.name }.joined(separator: " ")
    }
}
