import Foundation

/// Tests that are no part of the gate: what they say depends on kills, on scarcity, on a browser or on how fast the machine is, or they
/// take longer than a change should wait for.
///
/// They are `.enabled(if: Nightly.isOn, "nightly: …")`, with why they are there.
public enum Nightly {
    /// Whether they run: `Scripts/nightly` says so, and `Scripts/test` where a test is named.
    public static let isOn = ProcessInfo.processInfo.environment["WEBLOADER_NIGHTLY"] == "1"
}
