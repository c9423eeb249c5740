import WebStandards

// Resolves the references on standard input, one per line: `resolve-urls BASE`. URLs only: it links no system library.

do {
    let base = try WebURL(CommandLine.arguments.dropFirst().first ?? "https://example.com/")
    while let reference = readLine() {
        do {
            print(try WebURL(reference, base: base))
        } catch {
            print("\(error): \(reference)")
        }
    }
} catch {
    print(error)
}
