import Foundation
import Glibc
// Which module its times are of depends on what the compiler has loaded before.
import SwiftOverlayShims

@testable import WebDocument

/// Parses and frees files of UTF-8 again and again, and prints what that takes as parse_floor does.
///
///     bench-parse [--max-depth N] ROUNDS FILE…
func runBenchParse(_ arguments: [String]) throws {
    var arguments = arguments[...]
    var options = HTMLParser.Options()
    if arguments.first == "--max-depth" {
        options.maximumDepth = arguments.dropFirst().first.flatMap { Int($0) } ?? options.maximumDepth
        arguments = arguments.dropFirst(2)
    }
    let (rounds, pages) = readPages(arguments, "bench-parse [--max-depth N] ROUNDS FILE...")
    var times: [Double] = []
    var nodes = 0
    for round in -1..<rounds {
        let start = processorTime()
        for page in pages {
            let parsed = try parse(page, options)
            parsed.free()
        }
        if round >= 0 { times.append(processorTime() - start) }
    }
    for page in pages {
        let parsed = try parse(page, options)
        nodes += nodeCount(of: parsed)
        parsed.free()
    }
    let bytes = pages.reduce(0) { $0 + $1.count }
    let median = times.sorted()[rounds / 2]
    print(
        "{\"files\":\(pages.count),\"bytes\":\(bytes),\"median_cpu_s\":\(String(format: "%.6f", median)),"
            + "\"mb_per_s\":\(String(format: "%.2f", Double(bytes) / median / 1e6)),\"nodes\":\(nodes)}"
    )
}

/// Prints what each step from bytes to nothing takes, in milliseconds of the median round.
///
///     bench-steps ROUNDS FILE…
func runBenchSteps(_ arguments: [String]) throws {
    let (rounds, pages) = readPages(arguments[...], "bench-steps ROUNDS FILE...")
    var steps: [(name: String, times: [Double])] = []
    func measure<Value>(_ name: String, _ body: () throws -> Value) rethrows -> Value {
        let start = processorTime()
        let value = try body()
        let time = processorTime() - start
        if let index = steps.firstIndex(where: { $0.name == name }) {
            steps[index].times.append(time)
        } else {
            steps.append((name, [time]))
        }
        return value
    }
    for _ in 0..<rounds {
        for page in pages { _ = measure("detect") { EncodingDetection.html(page.span) } }
        for page in pages { _ = measure("decode") { TextDecoder.isValidUTF8(page.span) } }
        for page in pages {
            let parsed = try measure("parse") { try parse(page, HTMLParser.Options()) }
            measure("free") { parsed.free() }
        }
        for page in pages {
            let document = Document(try parse(page, HTMLParser.Options()))
            _ = measure("serialise") { document.markup() }
        }
    }
    let parts = steps.map { step in
        // The times of one round stand together.
        let sums = stride(from: 0, to: step.times.count, by: pages.count).map { start in
            step.times[start..<start + pages.count].reduce(0, +)
        }
        return "\"\(step.name)_ms\":\(String(format: "%.2f", sums.sorted()[rounds / 2] * 1000))"
    }
    print("{\(parts.joined(separator: ","))}")
}

private func readPages(_ arguments: ArraySlice<String>, _ usage: String) -> (rounds: Int, pages: [[UInt8]]) {
    guard arguments.count >= 2, let rounds = arguments.first.flatMap({ Int($0) }), rounds > 0 else {
        FileHandle.standardError.write(Data("usage: \(usage)\n".utf8))
        exit(2)
    }
    let pages = arguments.dropFirst().map { path -> [UInt8] in
        guard let data = FileManager.default.contents(atPath: path) else {
            FileHandle.standardError.write(Data("\(path): cannot be read\n".utf8))
            exit(2)
        }
        // A byte order mark is the decoder's to take off.
        return Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
    }
    return (rounds, pages)
}

private func parse(_ page: [UInt8], _ options: HTMLParser.Options) throws(HTMLParserError) -> ParsedHTML {
    try unsafe page.withUnsafeBufferPointer { (bytes) throws(HTMLParserError) in
        try unsafe HTMLParser.parse(utf8: bytes, options: options)
    }
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
