import WebStandards

/// The record of a mirror, in `.mirror/mirror.json` of its folder.
struct MirrorRecord: Equatable {
    /// The number of the complete copy; `nil` before there is one.
    var whole: Int?
    /// The number of the copy in progress, or else of the complete copy.
    var current = 1

    /// Whether there is something left to load.
    var isUnfinished: Bool { whole != current }

    private static let version = 1
    /// An upper bound on the number of a copy, which no mirror reaches.
    private static let maximumNumber = 1 << 40

    init() {}

    /// Reads a record; `nil` if it is invalid or of another version.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes), value["mirror"]?.number == Double(Self.version),
            let current = value["current"]?.number.map({ Int(bounded: $0) }),
            1..<Self.maximumNumber ~= current
        else { return nil }
        self.current = current
        whole = value["whole"]?.number.map { Int(bounded: $0) }
    }

    var bytes: [UInt8] {
        let value: JSONValue = [
            "current": .integer(Int64(current)), "mirror": .integer(Int64(Self.version)),
            "whole": JSONValue(whole),
        ]
        return value.line
    }
}
