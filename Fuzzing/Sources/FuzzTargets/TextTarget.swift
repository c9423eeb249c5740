import HTTPTypes

@testable import WebLoader

/// Reads a recipe, YAML or JSON, and compiles what is in it.
func fuzzRecipe(_ input: UnsafeBufferPointer<UInt8>) {
    guard let recipe = try? Recipe(parsing: Array(input), file: nil) else { return }
    _ = try? recipe.check()
}

/// Reads JSON; what is written of it reads the same.
func fuzzJSON(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    _ = try? JSONValue.repairing(bytes)
    guard let value = try? JSONValue(parsing: bytes) else { return }
    let text = value.serialized(sortingNames: false)
    precondition(
        (try? JSONValue(parsing: text).serialized(sortingNames: false)) == text,
        "it reads otherwise"
    )
}

/// Reads a MIME type; what is written of it reads the same.
func fuzzMediaType(_ input: UnsafeBufferPointer<UInt8>) {
    guard let type = MediaType(String(decoding: input, as: UTF8.self)) else { return }
    precondition(MediaType(type.description) == type, "\(type) reads otherwise")
}

/// Reads the values of header fields.
func fuzzFields(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    _ = CacheControl(fieldLines: [text])
    _ = LinkField.parse(fieldLines: [text])
    _ = HTTPDate(text, now: 1_800_000_000)
    _ = CookieDate(text)
    _ = (WeightedList(text), ByteRange(text), ContentRange(text), EntityTag(text))
    _ = StrictTransportSecurity(text)
    _ = ContentSecurityPolicy(input, source: .field, isReportOnly: false)
    _ = try? DataURL("data:\(text)")
    if let url = try? WebURL("https://fuzz.test/a/b") {
        _ = Cookie(text, from: url, now: .now, isPublicSuffix: { $0 == "test" })
    }
}

/// Reads a file of the cache.
func fuzzCacheEntry(_ input: UnsafeBufferPointer<UInt8>) {
    let file = Array(input)
    guard let prefix = try? CacheEntryFile.prefix(file, fileSize: file.count) else { return }
    _ = try? CacheEntryFile.note(file, prefix)
    _ = try? CacheEntryFile.head(file, prefix)
}
