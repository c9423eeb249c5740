import WebLoader

extension PageResources {
    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        [
            "count": .integer(Int64(count)), "from_network": .integer(Int64(networkCount)),
            "bytes": .integer(Int64(bytes)),
            "failures": .array(
                failures.map {
                    [
                        "url": .string($0.url.description), "code": .string($0.code),
                        "message": .string($0.message),
                    ]
                }
            ),
        ]
    }

    /// As in "12 loaded (340.1 KB), 2 failed".
    var text: String {
        let failed = failures.isEmpty ? "" : ", \(failures.count) failed"
        return "\(count) available (\(TerminalText.bytes(bytes)); \(networkCount) from the network)\(failed)"
    }
}
