import Glibc

/// What is fed with bytes, by name.
///
/// A target ends by trapping where something that always has to hold does not.
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

/// Feeds a target with bytes.
public func runFuzzTarget(_ name: String, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard let target = targets[name] else {
        print("there is no target \"\(name)\", but \(fuzzTargetNames.joined(separator: ", "))")
        exit(2)
    }
    target(bytes)
}

/// The target that `FUZZ_TARGET` names.
private let targetName = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    runFuzzTarget(targetName, UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
