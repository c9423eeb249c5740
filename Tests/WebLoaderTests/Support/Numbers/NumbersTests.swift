import Foundation
import Glibc
import SwiftOverlayShims
import Testing

@testable import WebRules
@testable import WebStandards

/// Numbers from outside, as they are read: no text, no `Double`, no file leads out of the ranges that are promised.
struct NumbersTests {
    @Test(
        "Decimal digits are read as far as 2^53",
        arguments: [
            ("0", 0), ("007", 7), ("-12", -12), ("+12", 12), ("9007199254740992", 1 << 53),
            ("9007199254740993", 1 << 53), ("9223372036854775808", 1 << 53),
            ("-9223372036854775808", -(1 << 53)), (String(repeating: "9", count: 400), 1 << 53),
            ("-\(String(repeating: "9", count: 400))", -(1 << 53)),
            ("", nil), ("-", nil), ("--1", nil), ("1-", nil), (" 1", nil), ("1.5", nil), ("0x10", nil),
            ("\u{661}", nil),
        ] as [(String, Int?)]
    )
    func texts(text: String, number: Int?) {
        #expect(Int(bounded: text) == number)
        let isInBounds = Int(text).map { $0.magnitude <= 1 << 53 } ?? false
        #expect(Int(inBounds: text) == (isInBounds ? number : nil))
    }

    @Test(
        "A Double becomes the nearest Int that numbers from outside have",
        arguments: [
            (0, 0), (1.9, 1), (-1.9, -1), (1e15, 1_000_000_000_000_000), (1e16, 1 << 53),
            (-1e16, -(1 << 53)),
            (1e308, 1 << 53), (-1e308, -(1 << 53)), (.infinity, 1 << 53), (-.infinity, -(1 << 53)),
            (.nan, 0), (-0.0, 0), (.leastNonzeroMagnitude, 0),
        ] as [(Double, Int)]
    )
    func doubles(value: Double, number: Int) {
        #expect(Int(bounded: value) == number)
    }

    @Test func integersOfAnyTypeAreBounded() {
        #expect(Int(bounded: Int64.min) == -(1 << 53))
        #expect(Int(bounded: UInt64.max) == 1 << 53)
        #expect(Int(bounded: Int8(-5)) == -5)
        // Arithmetic that they allow: some hundreds added, one multiplied by a thousand.
        let largest = Int(bounded: UInt64.max)
        #expect((0..<1000).reduce(0) { sum, _ in sum + largest } == largest * 1000)
    }

    @Test func saturatingArithmeticEndsAtTheEnd() {
        #expect(Int.max +| 1 == .max)
        #expect(Int.min +| -1 == .min)
        #expect(Int.min -| 1 == .min)
        #expect(Int.max -| -1 == .max)
        #expect(0 -| Int.min == .max)
        #expect(Int.max *| 2 == .max)
        #expect(Int.max *| -2 == .min)
        #expect(Int.min *| -1 == .max)
        #expect(UInt8(3) -| 5 == 0)
        #expect(UInt8(200) +| 100 == 255)
        #expect(5 +| 7 == 12)
        #expect(5 -| 7 == -2)
        #expect(5 *| -7 == -35)
        var sum = Int.max
        sum +|= 1
        #expect(sum == .max)
    }

    @Test(
        "A duration is from none to a century",
        arguments: [
            (0, 0), (1.5, 1.5), (-1, 0), (1e10, 3_155_760_000), (1e30, 3_155_760_000),
            (.infinity, 3_155_760_000),
            (-.infinity, 0), (.nan, 0),
        ] as [(Double, Double)]
    )
    func durations(seconds: Double, bounded: Double) {
        #expect(Duration(boundedSeconds: seconds) == .seconds(bounded))
    }

    @Test func durationsOfOthersAreBounded() {
        let century = Duration.seconds(3_155_760_000)
        #expect(Duration(secondsComponent: .max, attosecondsComponent: 0).bounded == century)
        #expect(Duration.seconds(-5).bounded == .zero)
        #expect(
            Duration(secondsComponent: .max, attosecondsComponent: 0).wholeMilliseconds == 3_155_760_000_000
        )
        #expect(Duration.milliseconds(-1).wholeNanoseconds == 0)
        #expect(Budget(time: Duration(secondsComponent: .max, attosecondsComponent: 0)).time == century)
    }

    @Test(arguments: [(Int.max, Int.min), (.min, .max), (0, 0), (5, 1_800_000_000)])
    func theSizeAndTimesOfFilesAreBounded(size: Int, time: Int) {
        var status = Glibc.stat()
        status.st_mode = S_IFREG | 0o640
        status.st_size = size
        status.st_mtim.tv_sec = time
        status.st_mtim.tv_nsec = time
        let file = FileStatus(status)
        #expect(file.kind == .regular)
        #expect(file.permissions == 0o640)
        #expect(file.size == min(max(size, 0), 1 << 53))
        #expect(file.modified == min(max(time, -62_167_219_200), 253_402_300_799))
        #expect(0..<1_000_000_000 ~= file.modifiedNanoseconds)
    }

    @Test(arguments: [
        (Int64.max, Int64(253_402_300_799_999)), (.min, -62_167_219_200_000), (-1, -1),
        (1_800_000_000_000, 1_800_000_000_000),
    ])
    func momentsAreOfTheYears0To9999(milliseconds: Int64, bounded: Int64) throws {
        var moment = Timestamp(millisecondsSince1970: milliseconds)
        #expect(moment.millisecondsSince1970 == bounded)
        moment.millisecondsSince1970 = milliseconds
        #expect(moment.millisecondsSince1970 == bounded)
        let decoded = try JSONDecoder().decode(
            Timestamp.self,
            from: Data(#"{"millisecondsSince1970":\#(milliseconds)}"#.utf8)
        )
        #expect(decoded.millisecondsSince1970 == bounded)
        #expect(try JSONDecoder().decode(Timestamp.self, from: JSONEncoder().encode(decoded)) == decoded)
    }

    @Test(arguments: [
        ("0", 0), ("2147483648", 1 << 31), ("99999999999999999999", 1 << 31), ("-1", nil), ("+1", nil),
        ("", nil),
    ])
    func deltaSecondsEndAt2To31(text: String, seconds: Int?) {
        #expect(DeltaSeconds.read(text) == seconds)
    }

    @Test func limitsOfAnySizeAreBounded() {
        var limits = LoadLimits()
        limits.maximumBodySize = .max
        limits.maximumNodes = .min
        #expect(limits.maximumBodySize == 1 << 53)
        #expect(limits.maximumNodes == 0)
        #expect(ByteCount.megabytes(.max).bytes == 1 << 53)
        #expect(ByteCount.bytes(.min).bytes == 0)
    }
}
