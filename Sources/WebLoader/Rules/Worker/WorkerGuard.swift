/// What holds a run of rules to its budget from inside the worker, and is its way to the process that asked.
///
/// The worker's own target has it: it stands in for malloc, which only a process made for it may suffer.
package protocol WorkerGuard {
    /// Waits for a request and gives it to `body`; nil when nobody asks any more.
    func withNextRequest<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value?

    /// Sends bytes to the process that asked.
    func write(_ bytes: [UInt8])

    /// A budget begins to run, of whose time so much is used already; what is live now does not count.
    func begin(time nanoseconds: UInt64, used: UInt64, memory bytes: UInt64)

    /// The budget stops running for a while; the bytes that are live.
    func pause() -> UInt64

    /// It runs again, and what has come to be live since does not count: so many bytes.
    func resume(_ live: UInt64) -> UInt64

    /// So many bytes that did not count are freed.
    func uncount(_ bytes: UInt64)

    /// The budget has been kept.
    func end()

    /// The rule in hand, by its place in the recipe.
    func begin(rule index: Int)

    /// The time that the budget has run, in nanoseconds.
    var usedTime: UInt64 { get }

    /// The most that was live; nil where nobody counts.
    var peakMemory: Int? { get }

    /// How many bytes may still be allocated.
    var headroom: @convention(c) () -> Int { get }

    /// Not 0 while nothing can be reclaimed.
    var busy: UnsafeMutablePointer<Int32> { get }

    /// Says what to call before an allocation is refused; nil for nothing.
    func setReclaim(
        _ reclaim: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
        _ context: UnsafeMutableRawPointer?
    )
}
