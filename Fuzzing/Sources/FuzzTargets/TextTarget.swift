import HTTPTypes

@testable import WebLoader
@testable import WebStandards
@testable import WebTransport

/// Parses a recipe, in YAML or JSON, and compiles its contents.
func fuzzRecipe(_ input: UnsafeBufferPointer<UInt8>) {
    guard let recipe = try? Recipe(parsing: Array(input), file: nil) else { return }
    _ = try? recipe.check()
}

/// Parses JSON; its serialized form must parse to the same value.
func fuzzJSON(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    _ = try? JSONValue.repairing(bytes)
    guard let value = try? JSONValue(parsing: bytes) else { return }
    let text = value.serialized(sortingNames: false)
    demand(
        (try? JSONValue(parsing: text).serialized(sortingNames: false)) == text,
        "it reads otherwise"
    )
}

/// Parses a MIME type; its description must parse to the same type.
func fuzzMediaType(_ input: UnsafeBufferPointer<UInt8>) {
    guard let type = MediaType(String(decoding: input, as: UTF8.self)) else { return }
    demand(MediaType(type.description) == type, "\(type) reads otherwise")
}

/// Parses the values of header fields.
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

/// Reads a file of the cache: the bytes as they are, and as the head of a file with correct checksums, because no input
/// passes those by chance.
///
/// The first byte determines the kind of file.
func fuzzCacheEntry(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    readCacheEntry(bytes)
    guard let kind = bytes.first else { return }
    let head = Array(bytes.dropFirst())
    var file = ByteWriter()
    file.raw(CacheEntryFile.magic)
    file.integer(CacheEntryFile.version)
    file.integer(UInt16(kind & 1))
    file.integer(UInt32(head.count))
    file.integer(UInt64(0))
    file.integer(ContentHash.checksum(head))
    file.integer(ContentHash.checksum([]))
    file.raw(head)
    readCacheEntry(file.output)
}

/// Reads an entry; one whose body is not in another file must be the same after it is written and read again.
private func readCacheEntry(_ file: [UInt8]) {
    guard let prefix = try? CacheEntryFile.prefix(file, fileSize: file.count) else { return }
    _ = try? CacheEntryFile.note(file, prefix)
    guard let head = try? CacheEntryFile.head(file, prefix), head.bodyFile == nil else { return }
    let again = CacheEntryFile.file(of: head.response)
    let prefixAgain = try? CacheEntryFile.prefix(again, fileSize: again.count)
    let headAgain = prefixAgain.flatMap { try? CacheEntryFile.head(again, $0) }
    demand(headAgain?.response.headerFields == head.response.headerFields, "it reads otherwise")
    demand(headAgain?.response.key == head.response.key, "it has another key")
}
