import Foundation
import WebStandards

/// Answers url requests: `{"id":1,"input":"../x","base":"http://h/" | null}` with `{"id":1,"href":"http://h/x"}` or
/// `{"id":1,"failure":true}`, a line each.
func runURL() {
    while let line = readLine() {
        FileHandle.standardOutput.write(Data((answerURL(line) + "\n").utf8))
    }
}

/// Answers toascii requests, which are url requests for "https://HOST/x".
func runToASCII() {
    runURL()
}

private func answerURL(_ line: String) -> String {
    let request: [String: Any]
    do {
        let object = try JSONSerialization.jsonObject(with: Data(replacingLoneSurrogates(line).utf8))
        request = object as? [String: Any] ?? [:]
    } catch {
        return #"{"failure":true,"note":"not JSON"}"#
    }
    var answer: [String: Any] = ["id": request["id"] ?? NSNull()]
    do {
        let base = try (request["base"] as? String).map { base throws in try WebURL(base) }
        answer["href"] = try WebURL(request["input"] as? String ?? "", base: base).href
    } catch {
        answer["failure"] = true
        answer["note"] = "\(error)"
    }
    guard let data = try? JSONSerialization.data(withJSONObject: answer) else { return #"{"failure":true}"# }
    return String(decoding: data, as: UTF8.self)
}

/// Replaces `\ud800` and its kind, where it is no half of a pair, by `\ufffd`: JSONSerialization refuses it.
private func replacingLoneSurrogates(_ json: String) -> String {
    var bytes = Array(json.utf8)
    func codeUnit(at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count,
            bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt16(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
    }
    var index = 0
    while index < bytes.count {
        guard bytes[index] == UInt8(ascii: "\\") else {
            index += 1
            continue
        }
        guard let unit = codeUnit(at: index) else {
            index += 2
            continue
        }
        if UTF16.isLeadSurrogate(unit), let next = codeUnit(at: index + 6), UTF16.isTrailSurrogate(next) {
            index += 12
            continue
        }
        if UTF16.isSurrogate(unit) {
            bytes.replaceSubrange(index..<(index + 6), with: Array(#"\ufffd"#.utf8))
        }
        index += 6
    }
    return String(decoding: bytes, as: UTF8.self)
}
