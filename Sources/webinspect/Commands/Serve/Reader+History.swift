import WebDifference
import WebLoader

extension Reader {
    /// Returns the stored versions of a page and the changes in each, as in `webinspect history --json`.
    ///
    /// A page without versions has an empty list.
    func history(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let url = try request.webURL()
        let count = request.integer("count", default: 1000, in: 1...100_000)
        let loader = try options.loader()
        do throws(LoadError) {
            let history = try await loader.history(of: url, maximumCount: count)
            return .json(HistoryReport.json(history, await loader.changes(in: history)))
        } catch {
            throw Failure(error, source: url.description)
        }
    }

    /// Returns the differences between two versions of a page, as in `webinspect diff --json`.
    func diff(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        .bytes(try await difference(request, keepsRows: false).json)
    }

    /// The same as a page with both sides: nothing is loaded and nothing is run in it.
    func diffView(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        var report = try await difference(request, keepsRows: true)
        return .bytes(report.html)
    }

    /// Compares the version of the date "old" with that of "new", or with the newest.
    private func difference(_ request: ReaderRequest, keepsRows: Bool) async throws(Failure) -> DiffReport {
        let url = try request.url()
        guard let old = try request.date("old") else {
            throw Failure(input: "\"old\" is missing, a date", code: "input.form")
        }
        var options = options
        options.dates = [old]
        if let new = try request.date("new") { options.dates.append(new) }
        let sources = try DiffSources(url, nil, options)
        var wanted = PageDifference.Options()
        wanted.keepsRows = keepsRows
        wanted.maximumTime = DiffClock(options).share
        let first = try await page(url, at: sources.old.options.archiveDate).parsed
        let second = try await page(url, at: sources.new.options.archiveDate).parsed
        do throws(SelectorError) {
            let difference = try PageDifference(from: first, to: second, options: wanted)
            return DiffReport(difference, sources, wanted)
        } catch {
            throw Failure(usage: "ignore", error.description, code: error.code.rawValue)
        }
    }
}
