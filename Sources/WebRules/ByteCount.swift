/// An amount of memory or of data.
public struct ByteCount: Hashable, Comparable, Sendable {
    /// The number of bytes, 0 to 2^53.
    public let bytes: Int

    /// A number of bytes, clamped to 0 through 2^53.
    public static func bytes(_ count: Int) -> ByteCount { ByteCount(bytes: max(0, Int(bounded: count))) }

    /// A number of kibibytes (1,024 bytes each), 2^53 bytes at most.
    public static func kilobytes(_ count: Int) -> ByteCount { times(count, 1 << 10) }

    /// A number of mebibytes (1,048,576 bytes each), 2^53 bytes at most.
    public static func megabytes(_ count: Int) -> ByteCount { times(count, 1 << 20) }

    private static func times(_ count: Int, _ unit: Int) -> ByteCount {
        .bytes(count *| unit)
    }

    /// Whether the first is less.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}
