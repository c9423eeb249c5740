import WebDifference
import WebLoader
import WebRules

/// A response under the rules of an entry: the page, the part of it, or the values that its recipe extracts.
struct WatchView: Sendable {
    let response: WebResponse
    /// The page; `nil` with a recipe.
    var page: ParsedPage?
    /// The values that the recipe extracted.
    var data: JSONValue?
    /// The text of the page, if a condition needs it.
    var text: String?
}

/// The result of viewing a response.
enum WatchSight: Sendable {
    case seen(WatchView)
    /// A page without content, or without the watched content.
    case empty(String)
    /// A response that is not the page.
    case failed(code: String, message: String)
    /// Assertions of the recipe do not hold: the recipe was not written for this page.
    ///
    /// `rules`, the names of their rules, stays the same while the same assertions fail; the message is for people.
    case drift(rules: String, message: String)
}

/// Views responses under the rules of entries.
struct WatchEye: Sendable {
    let loader: PageLoader
    var overrides = ContentOverrides()
    var budget = Budget()
    var extraction = ExtractionOptions()

    /// The elements that show something without text.
    private static let shown =
        "img, svg, picture, video, audio, canvas, object, embed, iframe, input, select, button, textarea"

    /// Views a response under an entry's rules.
    func look(at response: WebResponse, for entry: WatchEntry) async -> WatchSight {
        let overrides = overrides.applied(to: response)
        if let status = response.status?.code, status >= 400 {
            return .failed(code: "http.\(status)", message: "HTTP status \(status)")
        }
        guard response.body.contains(where: { !$0.isASCIIWhitespace }) else {
            return .empty("the response has no content")
        }
        var view = WatchView(response: response)
        if case .recipe(let recipe) = entry.subject {
            do throws(LoadError) {
                let found = try await loader.extract(
                    recipe,
                    from: response,
                    for: nil,
                    overriding: overrides,
                    budget: budget,
                    options: extraction
                )
                if let sight = Self.trouble(found) { return sight }
                view.data = found.data
            } catch {
                return .failed(code: error.code.rawValue, message: error.message)
            }
            guard entry.needsText else { return .seen(view) }
        }
        let page: ParsedPage
        do throws(LoadError) {
            page = try await parsed(response, overrides)
        } catch {
            return .failed(code: error.code.rawValue, message: error.message)
        }
        let made = view
        return await loader.configuration.blockingWork.run { [loader] in
            Self.look(at: page, made, entry, loader.configuration.limits)
        }
    }

    private func parsed(
        _ response: WebResponse,
        _ overrides: ContentOverrides
    ) async throws(LoadError) -> ParsedPage {
        let page = try await loader.load(part: response, overriding: overrides)
        do throws(ParsingError) {
            return try await page.parsed()
        } catch {
            throw LoadError(error, url: response.url)
        }
    }

    /// Returns the problem of an extraction; `nil` if it has no problem.
    private static func trouble(_ extraction: Extraction) -> WatchSight? {
        if let exceeded = extraction.exceeded {
            return .failed(code: exceeded.code.rawValue, message: exceeded.message)
        }
        let drift = extraction.errors.filter { $0.code == .drift }
        if !drift.isEmpty {
            let shown = drift.prefix(5).map { error in
                error.rule.map { "\($0): \(error.message)" } ?? error.message
            }
            let rest = drift.count > shown.count ? "; \(drift.count - shown.count) more" : ""
            let rules = drift.map { $0.rule ?? "" }.joined(separator: ", ")
            return .drift(rules: rules, message: shown.joined(separator: "; ") + rest)
        }
        if let error = extraction.failure ?? extraction.errors.first {
            let rule = error.rule.map { "\($0): " } ?? ""
            return .failed(code: error.code.rawValue, message: rule + error.message)
        }
        return isNothing(extraction.data) ? .empty("the recipe finds nothing") : nil
    }

    /// Whether a value is empty: it consists of nulls, empty texts and empty lists.
    private static func isNothing(_ data: JSONValue) -> Bool {
        var rest = [data]
        while let next = rest.popLast() {
            switch next {
            case .null: continue
            case .string(let text): if !text.isEmpty { return false }
            case .array(let items): rest += items
            case .object(let members): rest += members.map(\.value)
            case .bool, .integer, .number: return false
            }
        }
        return true
    }

    /// Views a parsed page.
    ///
    /// Blocks the calling thread.
    private static func look(
        at page: ParsedPage,
        _ view: WatchView,
        _ entry: WatchEntry,
        _ limits: LoadLimits
    ) -> WatchSight {
        var view = view
        var part = page
        do {
            if case .selection(let selector) = entry.subject {
                guard let excerpt = try WatchExcerpt.page(of: selector, in: page, limits) else {
                    return .empty("\"\(selector.text)\" matches nothing")
                }
                part = excerpt
            }
            let text = text(of: part)
            if view.data == nil, WatchCondition.collapsed(text).isEmpty, part.kind != .other,
                try part.querySelector(shown) == nil
            {
                return .empty("the page has no text")
            }
            if entry.needsText { view.text = text }
        } catch let error as SelectorError {
            return .failed(code: error.code.rawValue, message: error.message)
        } catch let error as ParsingError {
            return .failed(code: error.code.rawValue, message: error.message)
        } catch {
            return .failed(code: "internal", message: "\(error)")
        }
        if view.data == nil { view.page = page }
        return .seen(view)
    }

    private static func text(of page: ParsedPage) -> String {
        if let part = page.readablePart(isWhole: true) { return String(decoding: part.text, as: UTF8.self) }
        if let text = page.text { return text }
        return (try? page.querySelector(":root"))?.textContent ?? ""
    }
}
