import WebLoader

/// How much time there is for comparing.
struct DiffClock {
    private let end: Double?
    private let most: Double

    /// Starts it.
    init(_ options: LoadingOptions) {
        end = options.maximumTime.map { MonotonicClock.now + $0 }
        most = options.maximumTime ?? 20
    }

    /// Half of what is left of `--max-time`: what is not compared in it is told less finely, and that takes time too.
    var share: Duration {
        Duration(boundedSeconds: max(0, min(most, end.map { $0 - MonotonicClock.now } ?? most)) / 2)
    }
}
