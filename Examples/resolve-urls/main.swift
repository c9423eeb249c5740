import WebStandards

// Resolves the references of standard input, one a line: `resolve-urls BASE`. URLs only: it links nothing of the system.

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
