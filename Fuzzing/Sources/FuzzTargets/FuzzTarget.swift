import Glibc

/// The fuzz targets, by name.
///
/// A target traps if an invariant does not hold.
private let targets: [String: @Sendable (UnsafeBufferPointer<UInt8>) -> Void] = [
    "archive": fuzzArchive,
    "cache-entry": fuzzCacheEntry,
    "encoding": fuzzEncoding,
    "exchange": fuzzExchange,
    "fields": fuzzFields,
    "files": fuzzFiles,
    "form": fuzzForm,
    "html": fuzzHTML,
    "image": fuzzImage,
    "index": fuzzIndex,
    "inspection": fuzzInspection,
    "json": fuzzJSON,
    "media-type": fuzzMediaType,
    "recipe": fuzzRecipe,
    "selector": fuzzSelector,
    "session": fuzzSession,
    "site": fuzzSite,
    "srcset": fuzzSrcset,
    "style": fuzzStyle,
    "url": fuzzURL,
    "worker-records": fuzzWorkerRecords,
]

/// The names of all targets.
public var fuzzTargetNames: [String] { targets.keys.sorted() }

/// Runs a target on an input.
public func runFuzzTarget(_ name: String, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard let target = targets[name] else {
        print("there is no target \"\(name)\", but \(fuzzTargetNames.joined(separator: ", "))")
        exit(2)
    }
    target(bytes)
}

/// The target that `FUZZ_TARGET` names.
private let targetName = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""

/// The entry point that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    runFuzzTarget(targetName, UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
