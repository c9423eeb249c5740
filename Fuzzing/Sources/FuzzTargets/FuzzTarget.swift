import Glibc

/// What is fed with bytes, by name.
///
/// A target ends by trapping where something that always has to hold does not.
private let targets: [String: @Sendable (UnsafeBufferPointer<UInt8>) -> Void] = [
    "cache-entry": fuzzCacheEntry,
    "encoding": fuzzEncoding,
    "fields": fuzzFields,
    "html": fuzzHTML,
    "image": fuzzImage,
    "inspection": fuzzInspection,
    "json": fuzzJSON,
    "media-type": fuzzMediaType,
    "recipe": fuzzRecipe,
    "selector": fuzzSelector,
    "srcset": fuzzSrcset,
    "style": fuzzStyle,
    "url": fuzzURL,
]

/// The target that `FUZZ_TARGET` names.
private let target: @Sendable (UnsafeBufferPointer<UInt8>) -> Void = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = targets[name] else {
        print("FUZZ_TARGET is none of \(targets.keys.sorted().joined(separator: ", "))")
        exit(2)
    }
    return target
}()

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
