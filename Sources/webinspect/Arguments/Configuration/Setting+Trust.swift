import WebLoader

/// The settings that an untrusted file in the working folder may change.
extension Setting {
    /// Whether an untrusted file may set it.
    private enum Trust {
        /// Harmless: no value of it affects files, secrets, or which page is loaded.
        case harmless
        /// A limit: lower than usual, not higher.
        case limited(to: ClosedRange<Double>, (String) throws(Failure) -> Double)
        /// It decides where files are written, what is sent or trusted, or what answers for a URL.
        case personal
    }

    /// Why values of an untrusted file are refused; nil if they are accepted.
    func refusal(ofUntrustedFile values: [String]) -> String? {
        switch trust {
        case .harmless: return nil
        case .personal: return "is ignored in a folder's file, which may come from somebody else"
        case .limited(let range, let read):
            for value in values {
                // A value that is not a number is reported later, by the flag's parser.
                guard let number = try? read(value), !range.contains(number) else { continue }
                return
                    "\(value) is ignored in a folder's file, which may lower a limit but not raise it"
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
        case "timeout": Self.seconds(upTo: WebRequest(url: .aboutBlank).timeoutInterval.inSeconds)
        case "connect-timeout": Self.seconds(upTo: limits.connectTimeout.inSeconds)
        case "max-time": Self.seconds(upTo: limits.maximumSeconds ?? .infinity)
        case "budget-time": Self.seconds(upTo: SelectOptions().budgetTime)
        case "max-filesize": Self.bytes(upTo: limits.maximumBodySize)
        case "budget-memory": Self.bytes(upTo: Budget().memory.bytes)
        case "max-redirs": Self.count(upTo: limits.maximumRedirects)
        case "max-depth": Self.count(upTo: limits.maximumDepth)
        case "max-nodes": Self.count(upTo: limits.maximumNodes)
        // The limit for the tree of the smallest page.
        case "max-tree-memory": Self.bytes(upTo: limits.treeMemory(inputSize: 0))
        // New settings are refused until their trust is decided.
        default: .personal
        }
    }

    /// Only above 0, since 0 means no limit for some settings.
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
