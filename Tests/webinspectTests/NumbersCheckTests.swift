import Foundation
import TestSupport
import Testing

/// The check that keeps arithmetic on numbers from outside from leaving their types.
@Suite(
    .enabled(if: Nightly.isOn, "nightly: it reads what a version of the compiler writes"),
    .timeLimit(.minutes(20))
)
struct NumbersCheckTests {
    private func check(_ source: String) async throws -> Command.Outcome {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("Checked.swift")
            try Data(source.utf8).write(to: file)
            let script = ProjectFolder.root.appendingPathComponent("Scripts/check-numbers").path
            return try await Command.run(script, [file.path])
        }
    }

    @Test func eachKindOfFaultIsFound() async throws {
        let faults = [
            ("text", "Int(text) ?? 0"), ("text", "Int(text, radix: 16) ?? 0"),
            ("text", "strtol(text, nil, 10)"),
            ("double", "Int(double)"), ("double", "Int(UInt8(double))"),
            ("double", "Duration.seconds(double)"),
            ("double", "Duration.zero * double"),
            ("negation", "abs(int)"), ("negation", "-int"), ("narrowing", "Int(unsigned)"),
            ("narrowing", "UInt8(int)"), ("narrowing", "Int(wide)"), ("narrowing", "Int(clamping: unsigned)"),
            ("arithmetic", "wide + 1"), ("arithmetic", "wide - wide"), ("arithmetic", "unsigned * 2"),
            ("arithmetic", "byte - 48"), ("product", "int * int"), ("digits", "int * 10 + 1"),
            ("division", "int / int"), ("division", "int % int"),
            ("file status", "Int(bitPattern: UInt(file.st_ino))"),
            ("file status", "file.st_size"), ("limit", "Int.max"),
        ]
        var source = """
            import Glibc
            func use<T>(_ value: T) {}
            func check(_ text: String, _ double: Double, _ int: Int, _ wide: Int64, _ unsigned: UInt64, _ byte: UInt8, _ file: stat) {

            """
        let firstLine = source.split(separator: "\n", omittingEmptySubsequences: false).count
        source += faults.map { "    use(\($0.1))\n" }.joined() + "}\n"
        let outcome = try await check(source)
        #expect(outcome.status == 1, "\(outcome.errors)")
        let found = outcome.text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 4) }
        for (index, (rule, code)) in faults.enumerated() {
            let line = "\(firstLine + index)"
            #expect(
                found.contains { $0.count == 5 && $0[1] == line && $0[3] == " \(rule)" },
                "\(code): \(outcome.text)"
            )
        }
    }

    @Test func whatCannotTrapIsNotFound() async throws {
        let outcome = try await check(
            """
            func use<T>(_ value: T) {}
            func check(_ int: Int, _ wide: Int64, _ byte: UInt8, _ double: Double) {
                use(int + 1 - int)
                use(int * 60)
                use(int / 2)
                use(wide &+ 1)
                use(wide.addingReportingOverflow(1))
                use(wide.magnitude)
                use(wide << int)
                use(Int(byte))
                use(Int32(clamping: wide))
                use(Int64(int))
                use(UInt8(exactly: int))
                use(double * 2)
            }
            """
        )
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.isEmpty)
    }
}
