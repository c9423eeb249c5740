import Foundation
import Glibc
import SwiftOverlayShims
import Testing

@testable import WebTransport

/// Cache folders whose files have the sizes and times that no file system of a disk has.
@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/dev/shm"),
        "needs a tmpfs, which keeps any size and time"
    )
)
struct CacheFileNumbersTests {
    @Test(arguments: [Int.min, -1, .max])
    func anySizeAndAnyTimeAreCounted(time: Int) throws {
        let folder = "/dev/shm/webloader-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = DiskCacheStore(directory: folder)
        let stored = CachingSample.stored([("Cache-Control", "max-age=1000")])
        _ = try store.store(stored)
        let entry = CacheEntryName(stored.key, in: folder).entry
        let names = [
            entry, "\(entry).0000000000000000", "\(entry).0000000000000001",
            "\((entry as NSString).deletingLastPathComponent)/.new-0123456789abcdef",
        ]
        var largest = 0
        for name in names {
            let descriptor = unsafe open(name, O_RDWR | O_CREAT, 0o600)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            if name != entry, ftruncate(descriptor, .max) == 0 { largest += 1 }
            var times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
            _ = unsafe futimens(descriptor, &times)
        }
        guard case .found = store.lookUp(stored.key, for: try CachingSample.request()) else {
            Issue.record("the entry is not found")
            return
        }
        let browser = CacheBrowser(directory: folder)
        let others = try browser.otherFiles()
        #expect(others.bodyBytes >= 0)
        #expect(others.temporaryBytes >= (largest > 0 ? 1 << 53 : 0))
        _ = try browser.trim(to: 1 << 30)
        try browser.forEach(matching: nil) { _ in }
    }
}
