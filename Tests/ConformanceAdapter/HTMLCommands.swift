import CLibXML2
import Foundation
@testable import WebDocument

/// Answers html requests: `{"id":1,"data":"<p>x","fragment":null | "td" | "svg path","scripting":false}` with
/// `{"id":1,"tree":"| <html>\n..."}`, a line each.
func runHTML() {
    while let line = readLine() {
        FileHandle.standardOutput.write(Data((answerHTML(line) + "\n").utf8))
    }
}

private func answerHTML(_ line: String) -> String {
    let request: [String: Any]
    do {
        request = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    } catch {
        return #"{"failure":true,"note":"not JSON"}"#
    }
    var options = HTMLParser.Options()
    options.scripting = request["scripting"] as? Bool ?? false
    if let fragment = request["fragment"] as? String {
        options.fragmentContext = HTMLFragmentContext(named: fragment)
    }
    var answer: [String: Any] = ["id": request["id"] ?? NSNull()]
    do {
        answer["tree"] = try htmlTree(of: request["data"] as? String ?? "", options: options)
    } catch {
        answer["failure"] = "\(error)"
    }
    guard let data = try? JSONSerialization.data(withJSONObject: answer) else { return #"{"failure":true}"# }
    return String(decoding: data, as: UTF8.self)
}

/// The tree of some HTML in the format of the html5lib tests.
private func htmlTree(of html: String, options: HTMLParser.Options) throws -> String {
    var html = html
    let parsed = try html.withUTF8 { bytes throws(HTMLParserError) in
        try unsafe HTMLParser.parse(utf8: bytes, options: options)
    }
    defer { parsed.free() }
    var dump = HTMLTreeDump()
    dump.append(childrenOf: parsed.fragmentRoot ?? parsed.documentNode)
    return String(decoding: dump.bytes, as: UTF8.self)
}
