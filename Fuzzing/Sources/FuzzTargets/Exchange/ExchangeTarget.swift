import CVirtualTime

/// Runs a whole history of loads: see ``History``.
///
/// The first byte determines where the cache is, the second one the order of tasks that could run at the same time.
/// With the cache in memory and with it on disk, both histories have to be the same.
func fuzzExchange(_ input: UnsafeBufferPointer<UInt8>) {
    guard input.count > 2 else { return }
    let bytes = Array(input)[2...]
    switch input[0] % 8 {
    case 0...3: _ = run(bytes, .memory, hasFolder: false, mayRestart: true, order: input[1])
    case 4: _ = run(bytes, .memory, hasFolder: true, mayRestart: true, order: input[1])
    case 5, 6: _ = run(bytes, .disk, hasFolder: true, mayRestart: true, order: input[1])
    default:
        let memory = run(bytes, .memory, hasFolder: true, mayRestart: false, order: 0)
        let disk = run(bytes, .disk, hasFolder: true, mayRestart: false, order: 0)
        for (one, other) in zip(memory, disk) where one != other {
            // An event at the very end of a load's time may be a moment too late with one of them.
            if [one, other].contains(where: { $0.hasSuffix("network.timeout.total") }) { return }
            violation("caches differ.\nIn memory: \(one)\nOn disk:   \(other)")
        }
        demand(memory.count == disk.count, "caches differ")
    }
}

/// Runs a history to its end; returns the results of its loads.
private func run(
    _ bytes: ArraySlice<UInt8>,
    _ storage: History.Storage,
    hasFolder: Bool,
    mayRestart: Bool,
    order: UInt8
) -> [String] {
    let folder = hasFolder ? ScratchFolder.make() : nil
    defer { if let folder { ScratchFolder.remove(folder) } }
    virtual_time_enter(1_700_000_000_000, UInt32(order))
    defer { virtual_time_leave() }
    let history = History(bytes, storage, folder: folder, mayRestart: mayRestart)
    HistoryEnd.run { await history.run() }
    return history.results
}
