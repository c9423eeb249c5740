/// The worker's program.
package enum RuleWorkerProgram {
    /// Initializes libraries before the sandbox, in which no file can be opened any more.
    package static func prepare() {
        LibXML2.initialize()
    }

    /// Serves the requests of the parent process until it has no more.
    package static func serve(_ guardian: some WorkerGuard) {
        WorkerSession(guardian: guardian) { page in
            do throws(RecordReader.Malformed) {
                return parse(try PageTransfer(page))
            } catch {
                return .failure(RuleError(.failed, "the page cannot be read"))
            }
        }.serve()
    }

    private static func parse(_ transfer: PageTransfer) -> Result<RulePage, RuleError> {
        do throws(ParsingError) {
            let page = try transfer.parsed()
            return Result { () throws(RuleError) in try page.rulePage }
        } catch {
            return .failure(RuleError(.failed, "\(transfer.url): \(error.message)"))
        }
    }
}

extension ParsedPage {
    /// The page, for rules.
    package var rulePage: RulePage {
        get throws(RuleError) {
            if let limit = limits.first(where: { $0.code == .entities }) {
                throw RuleError(.failed, "\(response.url): \(limit.message)")
            }
            guard let document else {
                throw RuleError(
                    .failed,
                    "\(response.url): a page of type \(mediaType.essence) has no document tree"
                )
            }
            return RulePage(document: document, baseURL: baseURL, source: response.url)
        }
    }
}
