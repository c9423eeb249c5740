/// Enforces the budget of a run from inside the worker, and communicates with the process that sent the
/// request.
///
/// The worker's own target implements it, since it replaces malloc, which only a dedicated process can
/// accept.
package protocol WorkerGuard {
    /// Waits for a request and passes it to `body`; nil when there are no more requests.
    func withNextRequest<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value?

    /// Sends bytes to the process that sent the request.
    func write(_ bytes: [UInt8])

    /// Starts a budget, of whose time `used` nanoseconds are already used; memory that is live now does not
    /// count.
    func begin(time nanoseconds: UInt64, used: UInt64, memory bytes: UInt64)

    /// Pauses the budget; returns the number of bytes that are live.
    func pause() -> UInt64

    /// Resumes the budget, given the bytes that were live at the pause; returns how many were allocated since
    /// and are still live, which do not count.
    func resume(_ live: UInt64) -> UInt64

    /// Tells the guard that bytes that did not count have been freed.
    func uncount(_ bytes: UInt64)

    /// Stops the budget, which has been kept.
    func end()

    /// Sets the current rule, by its index in the recipe.
    func begin(rule index: Int)

    /// The time that the budget has run, in nanoseconds.
    var usedTime: UInt64 { get }

    /// The most memory that was live at once, in bytes; nil if memory is not counted.
    var peakMemory: Int? { get }

    /// How many bytes may still be allocated.
    var headroom: @convention(c) () -> Int { get }

    /// Not 0 while no memory can be reclaimed.
    var busy: UnsafeMutablePointer<Int32> { get }

    /// Sets the function to call before an allocation is refused; `nil` removes it.
    func setReclaim(
        _ reclaim: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
        _ context: UnsafeMutableRawPointer?
    )
}
