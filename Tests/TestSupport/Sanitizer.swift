import Foundation

/// The sanitizer that the tests are built with, as by `swift test --sanitize=address`.
public enum Sanitizer {
    /// Whether this is a build for AddressSanitizer, as are the programs that it starts.
    ///
    /// Each block then has a red zone, and freed blocks are not used again: measurements of memory mean nothing.
    public static let isAddress = has("__asan_init")

    /// Whether this is a build for ThreadSanitizer.
    public static let isThread = has("__tsan_init")

    /// Whether malloc is the sanitizer's, so that the worker's guard does not count memory, and no report states its
    /// use.
    public static var ownsMemory: Bool { isAddress || isThread }

    private static func has(_ symbol: String) -> Bool { unsafe dlsym(nil, symbol) != nil }
}
