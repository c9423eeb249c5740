import WebLoader

extension PageResources {
    /// As in "12 loaded (340.1 KB), 2 failed".
    var text: String {
        let failed = failures.isEmpty ? "" : ", \(failures.count) failed"
        return "\(count) available (\(TerminalText.bytes(bytes)); \(networkCount) from the network)\(failed)"
    }
}
