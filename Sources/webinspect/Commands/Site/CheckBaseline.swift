import WebLoader
import WebSite

/// The links that were broken at a former check, from its JSON lines.
struct CheckBaseline {
    private var broken: Set<String> = []

    /// Reads the lines; lines that are not of a check are ignored.
    ///
    /// - Throws: ``Failure`` if the file cannot be read, or has lines but none of a check.
    init(_ path: String) throws(Failure) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileReader.read(path: path, maximumSize: Self.maximumSize)
        } catch {
            throw Failure(
                subject: path,
                error.reason,
                code: error.code.rawValue,
                status: ExitStatus(error.code)
            )
        }
        var isOfCheck = bytes.isEmpty
        for line in bytes.split(separator: 0x0A) {
            guard let link = CheckedLink(jsonLine: line) else {
                // A check of nothing has its summary.
                isOfCheck = isOfCheck || line.starts(with: Self.summary)
                continue
            }
            isOfCheck = true
            if link.result == .broken { broken.insert(Self.key(of: link)) }
        }
        guard isOfCheck else {
            throw Failure(
                usage: "--baseline \(path)",
                "no line of it is one of webinspect check --format jsonl"
            )
        }
    }

    private static let summary = Array(#"{"summary""#.utf8)

    private static let maximumSize = 1 << 30

    /// Whether a link was broken then: wherever it stood on its page.
    func has(_ link: CheckedLink) -> Bool { broken.contains(Self.key(of: link)) }

    private static func key(of link: CheckedLink) -> String { "\(link.page ?? "")\n\(link.url)" }
}
