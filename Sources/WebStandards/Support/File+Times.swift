import Glibc
// Which module declares `timespec` depends on what the compiler has loaded before.
import SwiftOverlayShims

extension File {
    /// Sets when the file was written and read last; what was before 1970 is 1970.
    ///
    /// - Returns: Whether that is permitted, and was done.
    @discardableResult
    package func setTimes(_ date: Timestamp) -> Bool {
        var time = timespec()
        time.tv_sec = max(0, Int(bounded: date.secondsSince1970))
        let times = [time, time]
        return unsafe times.withUnsafeBufferPointer { unsafe futimens(descriptor, $0.baseAddress) } == 0
    }
}
