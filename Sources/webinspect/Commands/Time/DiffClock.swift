import WebLoader

/// The time that is left for comparing.
struct DiffClock {
    private let end: Double?
    private let most: Double

    /// Starts it.
    init(_ options: LoadingOptions) {
        end = options.maximumTime.map { MonotonicClock.now + $0 }
        most = options.maximumTime ?? 20
    }

    /// Half of the time that is left of `--max-time`: the rest is compared less finely, which takes time too.
    var share: Duration {
        Duration(boundedSeconds: max(0, min(most, end.map { $0 - MonotonicClock.now } ?? most)) / 2)
    }
}
