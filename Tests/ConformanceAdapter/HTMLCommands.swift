import CLibXML2
import Foundation
@testable import WebLoader

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
    if let fragment = request["fragment"] as? String { options.fragmentContext = fragmentContext(fragment) }
    var answer: [String: Any] = ["id": request["id"] ?? NSNull()]
    do {
        answer["tree"] = try htmlTree(of: request["data"] as? String ?? "", options: options)
    } catch {
        answer["failure"] = "\(error)"
    }
    guard let data = try? JSONSerialization.data(withJSONObject: answer) else { return #"{"failure":true}"# }
    return String(decoding: data, as: UTF8.self)
}

/// The context element that `td` or `svg path` names.
private func fragmentContext(_ text: String) -> HTMLFragmentContext {
    let parts = text.split(separator: " ").map(String.init)
    switch (parts.first, parts.count) {
    case ("svg", 2): return HTMLFragmentContext(namespace: .svg, localName: parts[1])
    case ("math", 2): return HTMLFragmentContext(namespace: .mathML, localName: parts[1])
    default: return HTMLFragmentContext(localName: text)
    }
}

/// The tree of some HTML in the format of the html5lib tests.
private func htmlTree(of html: String, options: HTMLParser.Options) throws -> String {
    var html = html
    var parsed = try html.withUTF8 { bytes throws(HTMLParserError) in
        try unsafe HTMLParser.parse(utf8: bytes, options: options)
    }
    defer { parsed.free() }
    var dump = HTMLTreeDump()
    dump.append(childrenOf: parsed.fragmentRoot ?? parsed.documentNode)
    return String(decoding: dump.bytes, as: UTF8.self)
}

/// Parses and frees files of UTF-8 again and again, and prints what that takes as parse_floor does.
///
///     bench-parse ROUNDS FILE…
func runBenchParse(_ arguments: [String]) {
    guard arguments.count >= 2, let rounds = Int(arguments[0]), rounds > 0 else {
        FileHandle.standardError.write(Data("usage: bench-parse ROUNDS FILE...\n".utf8))
        exit(2)
    }
    var pages: [[UInt8]] = []
    for path in arguments.dropFirst() {
        guard let data = FileManager.default.contents(atPath: path) else {
            FileHandle.standardError.write(Data("\(path): cannot be read\n".utf8))
            exit(2)
        }
        // A byte order mark is the decoder's to take off.
        pages.append(Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data))
    }
    var times: [Double] = []
    var nodes = 0
    do {
        for round in -1..<rounds {
            let start = processorTime()
            for page in pages {
                var parsed = try unsafe page.withUnsafeBufferPointer { bytes throws(HTMLParserError) in
                    try unsafe HTMLParser.parse(utf8: bytes)
                }
                parsed.free()
            }
            if round >= 0 { times.append(processorTime() - start) }
        }
        for page in pages {
            var parsed = try unsafe page.withUnsafeBufferPointer { bytes throws(HTMLParserError) in
                try unsafe HTMLParser.parse(utf8: bytes)
            }
            nodes += nodeCount(of: parsed)
            parsed.free()
        }
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
    times.sort()
    let bytes = pages.reduce(0) { $0 + $1.count }
    let median = times[rounds / 2]
    print(
        "{\"files\":\(pages.count),\"bytes\":\(bytes),\"median_cpu_s\":\(String(format: "%.6f", median)),"
            + "\"mb_per_s\":\(String(format: "%.2f", Double(bytes) / median / 1e6)),\"nodes\":\(nodes)}"
    )
}

/// The nodes of a tree: elements, texts, comments, processing instructions and the DOCTYPE, those in templates too.
private func nodeCount(of parsed: ParsedHTML) -> Int {
    var nodes = nodeCount(below: parsed.documentNode)
    for template in parsed.sideTables.templates { nodes += nodeCount(below: template.contents) }
    return nodes
}

private func nodeCount(below root: TreeNode) -> Int {
    var nodes = 0
    var node = root
    while true {
        if let child = node.isElement || node == root ? node.firstChild : nil {
            node = child
        } else {
            while node != root, node.next == nil {
                guard let parent = node.parent else { return nodes }
                node = parent
            }
            guard node != root, let next = node.next else { return nodes }
            node = next
        }
        nodes += 1
    }
}

private func processorTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
