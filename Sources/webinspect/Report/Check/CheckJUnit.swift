import WebLoader
import WebSite

/// JUnit's XML: a test case a link, which fails where the link is broken; what is unknown or skipped, or
/// was broken at the check that it is compared with, counts as skipped.
enum CheckJUnit {
    static func begin(_ summary: CheckSummary) -> [UInt8] {
        let skipped = summary.unknown + summary.skipped + summary.broken - summary.new
        let counts =
            "tests=\"\(summary.links)\" failures=\"\(summary.new)\" errors=\"0\" skipped=\"\(skipped)\""
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites \(counts)>
              <testsuite name="webinspect check" \(counts)>

            """.utf8
        )
    }

    static func testCase(_ link: CheckedLink) -> [UInt8] {
        let escaped = FindingsReport.escaped
        let place = [link.line, link.column].compactMap { $0.map { ":\($0)" } }.joined()
        let page = escaped((link.page ?? link.kind) + place)
        let test = "    <testcase classname=\"\(page)\" name=\"\(escaped(link.url))\""
        let code = escaped(link.code ?? "")
        let text =
            switch link.result {
            case .ok: "\(test)/>\n"
            case .broken where link.isKnown:
                "\(test)>\n      <skipped message=\"known: \(code)\"/>\n    </testcase>\n"
            case .broken:
                "\(test)>\n      <failure type=\"\(code)\" message=\"\(escaped(link.url)) (\(code))\">\(page)</failure>\n    </testcase>\n"
            case .unknown, .skipped:
                "\(test)>\n      <skipped message=\"\(link.result.rawValue): \(code)\"/>\n    </testcase>\n"
            }
        return Array(text.utf8)
    }

    static let end = Array("  </testsuite>\n</testsuites>\n".utf8)
}
