import WebLoader

/// What a file that happens to lie in the working folder may set.
extension Setting {
    /// Whether a stranger may set it.
    private enum Trust {
        /// Whatever it is, no file, no secret and no page is another one for it.
        case harmless
        /// A limit: lower than usual, not higher.
        case limited(to: ClosedRange<Double>, (String) throws(Failure) -> Double)
        /// It says where files are written, what is sent or trusted, or what answers for a URL.
        case personal
    }

    /// Why values of a file that may be a stranger's are not taken; nil if they are.
    func refusal(ofStrangers values: [String]) -> String? {
        switch trust {
        case .harmless: return nil
        case .personal: return "is not taken from a file of a folder, which may be a stranger's"
        case .limited(let range, let read):
            for value in values {
                // What is no number is the flag's mistake, which it says.
                guard let number = try? read(value), !range.contains(number) else { continue }
                return
                    "\(value) is not taken from a file of a folder, which may lower a limit but not lift it"
            }
            return nil
        }
    }

    private var trust: Trust {
        let limits = LoadLimits()
        return switch name {
        case "refresh", "revalidate", "no-store", "user-agent", "no-location", "fail", "silent", "color",
            "encoding", "parser":
            .harmless
        case "timeout": Self.seconds(upTo: WebRequest(url: .aboutBlank).timeoutInterval)
        case "connect-timeout": Self.seconds(upTo: limits.connectTimeout)
        case "max-time": Self.seconds(upTo: limits.maximumTime ?? .infinity)
        case "budget-time": Self.seconds(upTo: SelectOptions().budgetTime)
        case "max-filesize": Self.bytes(upTo: limits.maximumBodySize)
        case "budget-memory": Self.bytes(upTo: Budget().memory.bytes)
        case "max-redirs": Self.count(upTo: limits.maximumRedirects)
        case "max-depth": Self.count(upTo: limits.maximumDepth)
        case "max-nodes": Self.count(upTo: limits.maximumNodes)
        // What a tree of the smallest page may take.
        case "max-tree-memory": Self.bytes(upTo: limits.treeMemory(inputSize: 0))
        // What is new is refused until somebody has thought about it.
        default: .personal
        }
    }

    /// Above 0, which for some is no limit at all.
    private static func seconds(upTo limit: Double) -> Trust {
        .limited(to: Double.leastNonzeroMagnitude...limit) { (text) throws(Failure) in
            try LoadingOptions.seconds(text)
        }
    }

    private static func bytes(upTo limit: Int) -> Trust {
        .limited(to: 0...Double(limit)) { (text) throws(Failure) in Double(try LoadingOptions.size(text)) }
    }

    private static func count(upTo limit: Int) -> Trust {
        .limited(to: 0...Double(limit)) { (text) throws(Failure) in
            guard let count = Double(text) else { throw Failure(usage: text, "not a number") }
            return count
        }
    }
}
