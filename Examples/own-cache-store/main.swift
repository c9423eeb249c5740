import Foundation
import WebLoader
import WebLoaderTesting

// A custom cache store: one file per item, with names that the loader chooses. Prints a page, the same page without the
// network, and whether the store fulfills the contract, which a program's tests would check: own-cache-store URL

struct FolderStore: CacheStore {
    let folder: URL

    private func place(_ key: CacheKey) -> URL { folder.appending(path: key.digest) }

    func bytes(_ name: String, of key: CacheKey) throws -> [UInt8]? {
        do {
            return Array(try Data(contentsOf: place(key).appending(path: name)))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    func store(_ bytes: [UInt8], as name: String, of key: CacheKey) throws {
        try FileManager.default.createDirectory(at: place(key), withIntermediateDirectories: true)
        try Data(bytes).write(to: place(key).appending(path: name), options: .atomic)
    }

    func names(of key: CacheKey) throws -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: place(key).path)
            // The names of files that are still being written begin with a dot.
            return names.filter { !$0.hasPrefix(".") }
        } catch CocoaError.fileReadNoSuchFile {
            return []
        }
    }

    func remove(_ names: [String], of key: CacheKey) throws {
        for name in names {
            do {
                try FileManager.default.removeItem(at: place(key).appending(path: name))
            } catch CocoaError.fileNoSuchFile {
                continue
            }
        }
    }
}

let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
defer { try? FileManager.default.removeItem(at: folder) }

var configuration = PageLoader.Configuration()
configuration.cacheStore = FolderStore(folder: folder.appending(path: "cache"))
let loader = PageLoader(configuration: configuration)
var request = WebRequest(url: try WebURL(CommandLine.arguments.dropFirst().first ?? "https://example.com/"))
request.keepsForOfflineUse = true
for policy in [CachePolicy.useProtocolCachePolicy, .returnCacheDataDontLoad] {
    request.cachePolicy = policy
    let page = try await loader.load(request)
    print(page.response.source, page.title ?? "untitled")
}
for check in CacheStoreContract.checks {
    try await check.run { FolderStore(folder: folder.appending(path: UUID().uuidString)) }
}
try await CacheStoreContract.checkReopening { FolderStore(folder: folder.appending(path: "opened")) }
print("the contract is kept")
