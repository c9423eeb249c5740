import Foundation
import HTTPTypes
@testable import WebDocument

/// Answers pages requests, a line each.
///
///     {"id":"p1","path":"/abs/p1.html","url":"https://...","content_type":"text/html","link_selectors":["a[href]"]}
///
/// with the page's encoding, title, base URL, tree, number of elements, for each link selector of the form
/// `element[attribute]` the resolved URLs, and for each of `selectors` the indexes of the elements that match, counted
/// in document order, or "error".
func runPages() {
    while let line = readLine() {
        FileHandle.standardOutput.write(Data((answerPage(line) + "\n").utf8))
    }
}

private func answerPage(_ line: String) -> String {
    var answer: [String: Any] = [:]
    do {
        guard let request = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let path = request["path"] as? String, let url = request["url"] as? String
        else { return #"{"failure":true,"note":"no path or no url"}"# }
        answer["id"] = request["id"]
        let page = try page(path: path, url: url, contentType: request["content_type"] as? String)
        answer["characterSet"] = page.encoding?.encoding.name
        answer["title"] = page.title ?? ""
        answer["base"] = page.baseURL.href
        if let document = page.document {
            var dump = HTMLTreeDump()
            dump.append(childrenOf: unsafe TreeNode(document.node.pointer))
            var tree = String(decoding: dump.bytes, as: UTF8.self)
            if tree.hasSuffix("\n") { tree.removeLast() }
            answer["tree"] = tree
            answer["elements"] = page.counts.elements
            var links: [String: [Any]] = [:]
            for selector in request["link_selectors"] as? [String] ?? [] {
                links[selector] = linkURLs(selector, page, document)
            }
            answer["links"] = links
            answer["selectors"] = matches(request["selectors"] as? [String] ?? [], document)
        }
    } catch {
        answer["failure"] = true
        answer["note"] = "\(error)"
    }
    guard let data = try? JSONSerialization.data(withJSONObject: answer) else { return #"{"failure":true}"# }
    return String(decoding: data, as: UTF8.self)
}

/// A page as if it had come over HTTP.
private func page(path: String, url: String, contentType: String?) throws -> ParsedPage {
    var fields = HTTPFields()
    fields[.contentType] = contentType
    let body = try Data(contentsOf: URL(fileURLWithPath: path))
    let response = WebResponse(
        url: try WebURL(url),
        status: 200,
        headerFields: fields,
        body: Array(body),
        source: .network
    )
    return try ParsedPage(response, PageContent.Settings())
}

/// The resolved URLs of the HTML elements that a selector such as `a[href]` matches, null for what is no URL; nil
/// for a selector of another form.
private func linkURLs(_ selector: String, _ page: ParsedPage, _ document: Document) -> [Any]? {
    let parts = selector.split(whereSeparator: { $0 == "[" || $0 == "]" }).map(String.init)
    guard parts.count == 2, selector == "\(parts[0])[\(parts[1])]" else { return nil }
    let resolver = ReferenceResolver(base: page.baseURL, encoding: page.encoding?.encoding ?? .utf8)
    var urls: [Any] = []
    var walk = TreeWalk(inside: document.node)
    while let element = walk.nextElement() {
        guard element.name == parts[0] else { continue }
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            guard attribute.isPlain, attribute.name == parts[1] else { continue }
            urls.append((try? resolver.resolve(attribute.value).href) ?? NSNull() as Any)
        }
    }
    return urls
}

/// For each selector, the indexes of the elements that match, or "error" for one that is not valid.
private func matches(_ selectors: [String], _ document: Document) -> [String: Any] {
    var indexes: [TreeNode: Int] = [:]
    var walk = TreeWalk(inside: document.node)
    while let element = walk.nextElement() { indexes[element] = indexes.count }
    var matches: [String: Any] = [:]
    for selector in selectors {
        do {
            matches[selector] = try document.querySelectorAll(selector).map { indexes[$0.treeNode] ?? -1 }
        } catch {
            matches[selector] = "error"
        }
    }
    return matches
}
