import Foundation

/// Which seeds property tests run over.
public enum PropertySeeds {
    /// So many seeds from 0, at most 20 in the gate, or as many as `WEBLOADER_PROPERTY_SEEDS` says, which may be many more for a
    /// nightly run.
    public static func first(_ count: Int) -> Range<Int> {
        let named = ProcessInfo.processInfo.environment["WEBLOADER_PROPERTY_SEEDS"].flatMap { Int($0) }
        return 0..<max(1, named ?? (Nightly.isOn ? count : min(count, 20)))
    }
}
