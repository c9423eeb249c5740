/// An amount of memory or of data.
public struct ByteCount: Hashable, Comparable, Sendable {
    /// The number of bytes, 0 or more.
    public let bytes: Int

    /// So many bytes; 0 for less than none.
    public static func bytes(_ count: Int) -> ByteCount { ByteCount(bytes: max(0, count)) }

    /// So many times 1,024 bytes, as far as that can be counted.
    public static func kilobytes(_ count: Int) -> ByteCount { times(count, 1 << 10) }

    /// So many times 1,048,576 bytes, as far as that can be counted.
    public static func megabytes(_ count: Int) -> ByteCount { times(count, 1 << 20) }

    private static func times(_ count: Int, _ unit: Int) -> ByteCount {
        let (bytes, overflow) = max(0, count).multipliedReportingOverflow(by: unit)
        return ByteCount(bytes: overflow ? .max : bytes)
    }

    /// Whether the first is less.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}
