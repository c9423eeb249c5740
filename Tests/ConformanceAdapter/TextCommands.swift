import Foundation
@testable import WebDocument

/// Answers what is known of each block of a page, a line each, for `Scripts/train-main-text`.
///
///     {"path":"/abs/p1.html","url":"https://...","encoding":"utf-8"}
///
/// with the text of each block, what it is grouped by (the three elements around it and its path), its features as
/// 32-bit floats in base64, and their names.
func runTextFeatures() {
    while let line = readLine() {
        FileHandle.standardOutput.write(Data((answerFeatures(line) + "\n").utf8))
    }
}

private func answerFeatures(_ line: String) -> String {
    var answer: [String: Any] = ["names": ContentFeatures.names, "blocks": [], "groups": [], "rows": ""]
    do {
        guard let request = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String],
            let path = request["path"]
        else { return #"{"failure":true,"note":"no path"}"# }
        let page = try ParsedPage(
            data: Array(try Data(contentsOf: URL(fileURLWithPath: path))),
            mimeType: "text/html",
            textEncodingName: request["encoding"],
            baseURL: request["url"].flatMap { try? WebURL($0) }
        )
        guard let root = page.document?.root?.treeNode else { return #"{"failure":true,"note":"no tree"}"# }
        let tree = ReadablePart.tree(root.body ?? root)
        let facts = ArticleFacts(page.metadata)
        let blocks = ContentBlocks(tree, facts)
        let signs = PageSigns(tree, root, page.baseURL)
        let classifier = ContentClassifier(
            blocks,
            signs,
            found: ContentFinder(tree: tree, facts: facts).find()
        )
        answer["blocks"] = blocks.blocks.map { text(of: $0, tree) }
        answer["groups"] = blocks.blocks.map { block in
            let parent = Int(tree.entries[block.element].parent)
            let next = Int(tree.entries[parent].parent)
            let path = String(blocks.places[block.element].path, radix: 36)
            return ["\(parent)", "\(next)", "\(tree.entries[next].parent)", path]
        }
        answer["elements"] = blocks.blocks.map { "\(tree.entries[$0.element].element)" }
        answer["up"] = blocks.blocks.map { block in
            var path: [Int] = []
            var index = block.element
            while index > 0 {
                path.append(index)
                index = Int(tree.entries[index].parent)
            }
            return path
        }
        let rows = classifier.rows().flatMap { $0.map(\.bitPattern.littleEndian) }
        answer["rows"] = unsafe rows.withUnsafeBytes { unsafe Data($0) }.base64EncodedString()
    } catch {
        answer = ["failure": true, "note": "\(error)"]
    }
    guard let data = try? JSONSerialization.data(withJSONObject: answer) else { return #"{"failure":true}"# }
    return String(decoding: data, as: UTF8.self)
}

/// The text of a block, white space collapsed.
private func text(of block: ContentBlocks.Block, _ tree: ContentTree) -> String {
    var bytes: [UInt8] = []
    for index in block.entries {
        if tree.entries[index].element == .br { bytes.append(0x20) }
        tree.entries[index].node.appendText(to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self).collapsingASCIIWhitespace
}
