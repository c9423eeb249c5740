import HTTPTypes

@testable import WebBrowsing
@testable import WebDocument
@testable import WebLoader
import WebSite

/// Reads the bytes as data that a session has saved: its state, and a stored page.
func fuzzSession(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    fuzzState(bytes)
    // The seal is not tested here.
    guard let kept = KeptPage(SealedBytes.seal(bytes, as: "webinspect-page 1")) else { return }
    let again = KeptPage(kept.bytes)
    demand(again?.response.body == kept.response.body, "a page that was kept is another one")
    demand(again?.httpBody == kept.httpBody, "what was sent for a page is something else")
}

private func fuzzState(_ bytes: [UInt8]) {
    // Invalid states must only throw an error.
    guard let state = try? SessionState(bytes) else { return }
    guard let again = try? SessionState(state.bytes) else {
        violation("a state that cannot be read again")
    }
    demand(again.entries == state.entries, "other entries")
    demand(again.currentIndex == state.currentIndex, "another entry in view")
    let list = BackForwardList(state.entries, currentIndex: state.currentIndex, maximumCount: 100)
    guard var list else { violation("a list that is none") }
    demand(list.entries.count <= 100, "too many entries")
    demand(list.entries.isEmpty == (list.current == nil), "no entry in view")
    _ = list.push { HistoryEntry(id: $0, url: .aboutBlank) }
    demand(list.currentIndex == list.entries.count - 1, "what was added is not in view")
    demand(Set(list.entries.map(\.id)).count == list.entries.count, "two entries of one number")
}

/// Parses the page after the first line of the input, fills in and submits its forms with that line, and searches the
/// page for it.
func fuzzForm(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    let end = bytes.firstIndex(of: 0x0A) ?? bytes.count
    let words = String(decoding: bytes[..<end], as: UTF8.self)
    var response = WebResponse(
        url: .aboutBlank,
        status: 200,
        body: Array(bytes[min(end + 1, bytes.count)...]),
        source: .network
    )
    if let url = try? WebURL("https://fuzz.test/a/b?c") { response.url = url }
    response.headerFields[.contentType] = "text/html"
    // Input that is not a page has no forms.
    guard let page = try? ParsedPage(response, PageContent.Settings()) else { return }
    var forms = PageForms(page)
    // A value that a field does not accept must only throw an error.
    _ = try? forms.fill(words, with: words)
    _ = try? forms.submission(button: words)
    for var form in forms.forms {
        for index in form.fields.indices { _ = try? form.fill(index, with: words) }
        for problem in form.problems(sendingBy: form.defaultButton) {
            demand(form.fields.indices.contains(problem.field), "a problem of no field")
        }
        guard let submission = form.submission(by: form.defaultButton) else { continue }
        demand((submission.content(boundary: "b") == nil) == (submission.method == .get), "a body of a GET")
        demand(form.submission(by: form.defaultButton) == submission, "the same form is sent in two ways")
    }
    guard let text = FindableText(page) else { return }
    for match in text.matches(of: words, maximumCount: 20) {
        demand(!match.text.isEmpty, "an empty match")
        demand(match.start.offset >= 0 && match.end.offset >= 0, "a place before its node")
    }
}
