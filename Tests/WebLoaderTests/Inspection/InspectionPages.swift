import HTTPTypes
import Testing

@testable import WebDocument

/// Pages to inspect, as if they had come over HTTP.
enum InspectionPages {
    static func page(
        _ markup: String,
        type: String = "text/html; charset=utf-8",
        url: String = "http://h.test/d/page.html",
        fields: [(String, String)] = []
    ) throws -> ParsedPage {
        var headerFields = HTTPFields()
        headerFields[.contentType] = type
        for (name, value) in fields {
            headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let response = WebResponse(
            url: try WebURL(url),
            status: 200,
            headerFields: headerFields,
            body: Array(markup.utf8),
            source: .network
        )
        return try ParsedPage(response, PageContent.Settings())
    }

    /// Each link as "kind element@attribute URL", a header field in place of the element, "-" for what is no URL.
    static func summary(_ page: ParsedPage) throws -> [String] {
        page.links.map { link in
            let place = link.field ?? "\(link.element ?? "")\(link.attribute.map { "@\($0)" } ?? "")"
            return "\(link.kind.rawValue) \(place) \(link.url?.href ?? "-")"
        }
    }
}
