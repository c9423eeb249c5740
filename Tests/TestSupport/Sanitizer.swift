import Foundation

/// What the tests are built with: `swift test --sanitize=address`, say.
public enum Sanitizer {
    /// Whether this is a build for AddressSanitizer, and what it starts is one too.
    ///
    /// A block has a red zone around it then, and one that was freed is kept from being used again: how much memory
    /// something takes says nothing.
    public static let isAddress = has("__asan_init")

    /// Whether this is a build for ThreadSanitizer.
    public static let isThread = has("__tsan_init")

    /// Whether malloc is the sanitizer's, so that the worker's guard does not count memory, and nobody says what it was.
    public static var ownsMemory: Bool { isAddress || isThread }

    private static func has(_ symbol: String) -> Bool { unsafe dlsym(nil, symbol) != nil }
}
