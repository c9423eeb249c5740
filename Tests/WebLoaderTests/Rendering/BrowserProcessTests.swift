import Foundation
import TestSupport
import Testing

@testable import WebRendering

/// Browsers are started and ended, and nothing is left of them; mostly scripts in their place.
@Suite(.timeLimit(.minutes(20)))
struct BrowserProcessTests {
    private static let python = "/usr/bin/python3"
    static let hasPython = FileManager.default.isExecutableFile(atPath: python)

    private func isRunning(_ pid: String) -> Bool {
        FileManager.default.fileExists(atPath: "/proc/\(pid)/exe")
            && (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")) != nil
    }

    /// Returns the open files of a process, as the system names them.
    private func links(_ pid: pid_t) -> [String] {
        let folder = "/proc/\(pid)/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
    }

    // MARK: - Environment

    @Test func itIsAskedAndAnswers() async throws {
        try await withTemporaryFolder { folder in
            let script = "read question <&3; echo \"answer to $question\" >&4"
            let browser = try await StandInBrowser.start(script, in: folder)
            let question = Array("a question\n".utf8)
            #expect(unsafe write(browser.process.input, question, question.count) == question.count)
            #expect(await browser.line() == "answer to a question")
            await browser.end()
        }
    }

    @Test func itsArgumentsAreItsFolderTheSandboxOfRootAndTheFlags() async throws {
        try await withTemporaryFolder { folder in
            let browser = try await StandInBrowser.start(
                "for word; do echo \"$word\" >&4; done",
                flags: ["--one", "two words"],
                in: folder
            )
            let words = await browser.text().split(separator: "\n")
            let own = try #require(words.first)
            #expect(own.hasPrefix("--user-data-dir=\(folder.path)/webinspect-browser-\(getpid())-"))
            #expect(words.dropFirst() == (geteuid() == 0 ? ["--no-sandbox"] : []) + ["--one", "two words"])
            await browser.end()
        }
    }

    @Test(.enabled(if: hasPython)) func itHasNoDescriptorsButItsOwn() async throws {
        let script = """
            import os
            def link(number):
                try: return os.readlink(f"/proc/self/fd/{number}").split(":")[0]
                except OSError: return None
            links = [link(number) for number in range(1024)]
            os.write(4, repr([(number, link) for number, link in enumerate(links) if link]).encode())
            """
        try await withTemporaryFolder { folder in
            let browser = try await StandInBrowser.start(script, by: Self.python, in: folder)
            let expected =
                "[(0, '/dev/null'), (1, '/dev/null'), (2, 'pipe'), (3, 'socket'), (4, 'pipe')]"
            #expect(await browser.text() == expected)
            await browser.end()
        }
    }

    @Test func itsEnvironmentSaysNothingOfThisProcess() async throws {
        try await withTemporaryFolder { folder in
            let browser = try await StandInBrowser.start("env >&4", in: folder)
            let lines = await browser.text().split(separator: "\n")
            let variables = Dictionary(
                lines.map { line in
                    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
                },
                uniquingKeysWith: { $1 }
            )
            let home = try #require(variables["HOME"])
            #expect(home.hasPrefix(folder.path + "/webinspect-browser-"))
            for name in ["TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
                #expect(variables[name]?.hasPrefix(home) == true, "\(name)")
            }
            #expect(variables["DBUS_SESSION_BUS_ADDRESS"] == "disabled:")
            // The shell adds some of its own.
            let known = ["PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "PWD", "SHLVL", "OLDPWD", "_"]
            let prefixes = ["XDG_", "DBUS_", "LANG", "LC_", "FONTCONFIG_"]
            let others = variables.keys.filter { name in
                !known.contains(name) && !prefixes.contains { name.hasPrefix($0) }
            }
            #expect(others == [])
            await browser.end()
        }
    }

    @Test(.enabled(if: hasPython)) func itGetsNoSocketsButLocalOnes() async throws {
        let script = """
            import os, socket
            def tried(family, kind=socket.SOCK_STREAM, protocol=0):
                try:
                    socket.socket(family, kind, protocol).close()
                    return "open"
                except OSError as error:
                    return os.strerror(error.errno)
            families = [socket.AF_INET, socket.AF_INET6, socket.AF_PACKET, socket.AF_VSOCK, socket.AF_ALG]
            results = {tried(family) for family in families} | {tried(socket.AF_INET, socket.SOCK_DGRAM)}
            socket.socketpair()
            local = [tried(socket.AF_UNIX), tried(socket.AF_NETLINK, socket.SOCK_RAW)]
            code = "import socket; socket.socket()"
            child = os.spawnl(os.P_WAIT, "\(Self.python)", "python3", "-c", code + " # 2>/dev/null")
            os.write(4, repr((sorted(results), local, child)).encode())
            """
        try await withTemporaryFolder { folder in
            let browser = try await StandInBrowser.start(script, by: Self.python, in: folder)
            #expect(await browser.text() == "(['Permission denied'], ['open', 'open'], 1)")
            await browser.end()
        }
    }

    // MARK: - The end

    /// Has children in sessions of their own, which want to stay, and says which.
    private let stubborn = """
        trap '' TERM HUP INT
        for name in one two three; do
            setsid sh -c 'trap "" TERM HUP INT; (setsid sleep 1000 & echo $! >&4); echo $$ >&4; exec sleep 1000' &
        done
        """

    enum Reason: CaseIterable {
        case told, released, signalled, over
    }

    @Test(arguments: Reason.allCases)
    func nothingOfItIsLeft(reason: Reason) async throws {
        try await withTemporaryFolder { folder in
            let last = reason == .over ? "read line <&3" : "exec sleep 1000"
            var browser: StandInBrowser? = try await StandInBrowser.start("\(stubborn)\n\(last)", in: folder)
            let (input, output) = try #require(browser.map { ($0.process.input, $0.process.output) })
            var children: [String] = []
            for _ in 0..<6 { children.append(await browser?.line() ?? "") }
            #expect(children.allSatisfy(isRunning))
            switch reason {
            case .told: await browser?.process.ended()
            case .released: browser = nil
            case .signalled: #expect(kill(try #require(browser?.process.pid), SIGTERM) == 0)
            case .over: close(input)
            }
            // Its end comes once nobody has it any more.
            let rest = await onThread {
                var byte: UInt8 = 0
                return unsafe read(output, &byte, 1)
            }
            #expect(rest == 0)
            #expect(!children.contains(where: isRunning))
            await browser?.process.ended()
            if reason != .over { close(input) }
            close(output)
            if reason == .released {
                try await eventually("its folder goes") { try StandInBrowser.folders(in: folder).isEmpty }
            }
            #expect(try StandInBrowser.folders(in: folder) == [])
        }
    }

    @Test func aKilledGuardTakesItAlongAndTheNextOneRemovesItsFolder() async throws {
        try await withTemporaryFolder { folder in
            let script = "touch $HOME/file; echo >&4; exec sleep 1000"
            let browser = try await StandInBrowser.start(script, in: folder)
            _ = await browser.line()
            let left = try StandInBrowser.folders(in: folder)
            #expect(left.count == 1)
            #expect(kill(browser.process.pid, SIGKILL) == 0)
            #expect(await browser.line() == "")
            await browser.end()
            #expect(try StandInBrowser.folders(in: folder) == left)
            let next = try await StandInBrowser.start("exec sleep 1000", in: folder)
            #expect(try Set(StandInBrowser.folders(in: folder)).isDisjoint(with: left))
            await next.end()
            #expect(try StandInBrowser.folders(in: folder) == [])
        }
    }

    @Test func itCanBeToldToEndAnyNumberOfTimes() async throws {
        try await withTemporaryFolder { folder in
            let browser = try await StandInBrowser.start("exec sleep 1000", in: folder)
            #expect(browser.process.memory() > 0)
            browser.process.end()
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { await browser.process.ended() } }
            }
            browser.process.end()
            await browser.end()
            #expect(browser.process.memory() == 0)
        }
    }

    @Test func manyAtOnceLeaveNoDescriptorOpen() async throws {
        /// Returns the open files of a process that only a browser's process has.
        func ends(_ pid: pid_t) -> [String] {
            links(pid).filter { link in
                ["pipe:", "socket:"].contains { link.hasPrefix($0) } || link.contains("webinspect-browser-")
            }
        }
        /// The numbers of the processes that this one has descriptors of.
        func processes() -> [String] {
            let folder = "/proc/self/fdinfo"
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let texts = numbers.compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
            return texts.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("Pid:") }
                .map { String($0.dropFirst(4)).trimmingCharacters(in: .whitespaces) }
        }
        try await withTemporaryFolder { folder in
            let seen = try await withThrowingTaskGroup { group in
                for _ in 0..<24 {
                    group.addTask {
                        let browser = try await StandInBrowser.start(
                            "echo $$ >&4; exec sleep 1000",
                            in: folder
                        )
                        let child = try #require(pid_t(await browser.line()))
                        let seen = ends(browser.process.pid) + ends(child)
                        let guardian = "\(browser.process.pid)"
                        #expect(seen.count >= 7)
                        #expect(processes().contains(guardian))
                        await browser.end()
                        return (seen, guardian)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // The last one to have the object may let go of it a little later.
            let guardians = Set(seen.map(\.1))
            try await eventually("they are let go of") { guardians.isDisjoint(with: processes()) }
            #expect(Set(seen.flatMap(\.0)).isDisjoint(with: ends(getpid())))
            #expect(try StandInBrowser.folders(in: folder) == [])
        }
    }

    // MARK: - Messages

    @Test func oneThatEndsAtOnceIsAnErrorWithItsLastWords() async throws {
        try await withTemporaryFolder { folder in
            let script = "printf 'one\\nthere is no \\033[1mdisplay\\302\\205\\n' >&2; exit 3"
            let browser = try await StandInBrowser.start(script, in: folder)
            #expect(await browser.text() == "")
            let error = await browser.process.failure()
            #expect(error.code == .ended)
            #expect(error.message.hasSuffix(" has ended with status 3: one; there is no [1mdisplay"))
            #expect(browser.process.lastWords == "one\nthere is no [1mdisplay\n")
            await browser.end()
        }
    }

    @Test func aSignalThatEndsItIsNamedAndSoIsWhatWasFatal() async throws {
        try await withTemporaryFolder { folder in
            let script = "printf '[1:FATAL:x.cc(1)] Too bad\\n#0\\n#1\\n#2\\n' >&2; kill -ABRT $$"
            let browser = try await StandInBrowser.start(script, in: folder)
            #expect(await browser.text() == "")
            let message = await browser.process.failure().message
            #expect(message.hasSuffix(" has ended by signal 6: [1:FATAL:x.cc(1)] Too bad"))
            await browser.end()
        }
    }

    @Test func oneWithoutASandboxSaysWhatToDo() async throws {
        try await withTemporaryFolder { folder in
            let script = "echo 'ERROR: No usable sandbox! If' >&2; exit 1"
            let browser = try await StandInBrowser.start(script, in: folder)
            #expect(await browser.text() == "")
            let error = await browser.process.failure()
            #expect(error.code == .unavailable)
            #expect(error.message.contains("kernel.unprivileged_userns_clone=1"))
            await browser.end()
        }
    }

    @Test func itMaySayAnyAmountAndTheEndOfItIsKept() async throws {
        try await withTemporaryFolder { folder in
            let script = """
                head -c 100000000 /dev/zero | tr '\\0' x >&2
                echo the end >&2
                echo done >&4
                """
            let browser = try await StandInBrowser.start(script, in: folder)
            #expect(await browser.line() == "done")
            await browser.process.ended()
            let words = browser.process.lastWords
            #expect(words.utf8.count == 65536)
            #expect(words.hasSuffix("xxthe end\n"))
            #expect(words.hasPrefix("xx"))
            await browser.end()
        }
    }

    @Test func whatCannotBeStartedIsUnavailableAndLeavesNoFolder() async throws {
        try await withTemporaryFolder { folder in
            let error = await #expect(throws: RenderingError.self) {
                try await StandInBrowser.start("", by: "/no/such/interpreter", in: folder)
            }
            #expect(error?.code == .unavailable)
            #expect(error?.message.hasSuffix(" cannot be started: No such file or directory") == true)
            let left = try StandInBrowser.folders(in: folder)
            #expect(left == [])
            let nowhere = folder.appendingPathComponent("nowhere")
            let other = await #expect(throws: RenderingError.self) {
                try await BrowserProcess.start(BrowserProgram.find("/bin/sh"), [], in: nowhere.path)
            }
            #expect(other?.code == .unavailable)
        }
    }

    // MARK: - Its folder

    @Test func itsFolderGoesWhateverIsInIt() async throws {
        try await withTemporaryFolder { folder in
            let outside = folder.appendingPathComponent("outside")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            try Data("kept".utf8).write(to: outside.appendingPathComponent("file"))
            func mode(_ path: URL) -> Int? {
                let attributes = try? FileManager.default.attributesOfItem(atPath: path.path)
                return attributes?[.posixPermissions] as? Int
            }
            #expect(unsafe chmod(outside.path, 0o500) == 0)
            let modeBefore = mode(outside)
            let script = """
                cd "$HOME"
                mkdir -p one/two moved-0 moved-1/deep && echo x > one/two/file && echo x > moved-2
                ln -s "\(outside.path)" one/folder
                ln -s "\(outside.path)" folder
                ln -s "\(outside.path)/file" one/file
                ln "\(outside.path)/file" linked
                ln -s /no/such/file nowhere
                mkfifo one/pipe
                chmod 000 one/two moved-1/deep one
                path=$(printf 'd/%.0s' $(seq 1000))
                mkdir -p "$path" && echo x > "$path/file"
                mkdir -p wide && cd wide && seq 1 3000 | xargs touch
                chmod 500 . .. && echo >&4
                """
            let browser = try await StandInBrowser.start(script + "\nexec sleep 1000", in: folder)
            _ = await browser.line()
            #expect(try StandInBrowser.folders(in: folder).count == 1)
            await browser.end()
            #expect(try StandInBrowser.folders(in: folder) == [])
            #expect(try String(contentsOf: outside.appendingPathComponent("file"), encoding: .utf8) == "kept")
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["file"])
            #expect(mode(outside) == modeBefore)
            #expect(unsafe chmod(outside.path, 0o700) == 0)
        }
    }

    @Test func onlyFoldersOfItsOwnThatNobodyHasAreRemovedBefore() async throws {
        try await withTemporaryFolder { folder in
            let marker = ".webinspect-browser"
            func make(_ name: String, _ files: String...) throws {
                let path = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
                for file in files { try Data().write(to: path.appendingPathComponent(file)) }
            }
            // Those of dead guards, and of whoever has not come further.
            try make("webinspect-browser-1-abcdef", marker, "file")
            try make("webinspect-browser-4194304-234567")
            // Without the file that says so; of other names; in use; by way of a link.
            let kept = [
                "webinspect-browser-1-aaaaaa", "webinspect-browser-1-abcde", "webinspect-browser-x-abcdef",
                "webinspect-browser-1-ABCDEF", "webinspect-browser-1-abcdef-", "webinspect-browser-1-bbbbbb",
                "webinspect-browser-1-cccccc", "webinspect-browser-1-dddddd",
            ]
            try make(kept[0], "file")
            for name in kept[1...4] { try make(name, marker, "file") }
            try make(kept[5], marker, "file")
            let file = folder.appendingPathComponent("\(kept[5])/\(marker)").path
            let lock = unsafe open(file, O_RDWR | O_CLOEXEC)
            defer { close(lock) }
            #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
            try make("other", marker, "file")
            #expect(unsafe symlink("other", folder.appendingPathComponent(kept[6]).path) == 0)
            try make(kept[7])
            let link = folder.appendingPathComponent("\(kept[7])/\(marker)").path
            #expect(unsafe symlink("../other/\(marker)", link) == 0)
            let browser = try await StandInBrowser.start("exec sleep 1000", in: folder)
            await browser.end()
            #expect(try StandInBrowser.folders(in: folder).sorted() == kept.sorted())
            let other = folder.appendingPathComponent("other").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: other).sorted() == [marker, "file"])
        }
    }

    // MARK: - The browser

    @Test(.enabled(if: Nightly.isOn, "nightly: a browser"), .enabled(if: Browser.isInstalled))
    func aRealOneAnswersAndGoes() async throws {
        let program = try BrowserProgram.find("/usr/bin/chromium")
        let process = try await BrowserProcess.start(
            program,
            [
                "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
                "--disable-dev-shm-usage", "about:blank",
            ]
        )
        // The guard has it open.
        let own = links(process.pid).filter { $0.contains("/webinspect-browser-\(getpid())-") }
        let folder = try #require(own.first { !$0.hasSuffix("/.webinspect-browser") })
        let question = Array(#"{"id":1,"method":"Browser.getVersion"}"#.utf8) + [0]
        #expect(unsafe write(process.input, question, question.count) == question.count)
        let output = process.output
        let answer = await onThread {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while unsafe read(output, &byte, 1) == 1, byte != 0 { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(answer.hasPrefix(#"{"id":1,"result":{"#), "\(answer) \(process.lastWords)")
        #expect(process.memory() > 20 << 20)
        #expect(process.memory() < 4 << 30)
        await process.ended()
        let rest = await onThread {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = unsafe read(output, &bytes, bytes.count)
                if count <= 0 { return count }
            }
        }
        #expect(rest == 0)
        #expect(process.memory() == 0)
        close(process.input)
        close(process.output)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
