import WebDifference
import WebLoader
import WebRules

/// A response as an entry looks at it: the page, the part of it, or what its recipe finds.
struct WatchView: Sendable {
    let response: WebResponse
    /// The page; nil with a recipe.
    var page: ParsedPage?
    /// What the recipe found.
    var data: JSONValue?
    /// The text, if a condition asks for it.
    var text: String?
}

/// What there is to see.
enum WatchSight: Sendable {
    case seen(WatchView)
    /// A page with nothing on it, or nothing of what is watched.
    case empty(String)
    /// An answer that is not the page.
    case failed(code: String, message: String)
    /// Assertions of the recipe do not hold: the page is not what it was written for.
    ///
    /// Which they are, by the names of their rules, is the same as long as they are; the message is for people.
    case drift(rules: String, message: String)
}

/// Looks at responses.
struct WatchEye: Sendable {
    let loader: PageLoader
    var overrides = ContentOverrides()
    var budget = Budget()
    var extraction = ExtractionOptions()

    /// What shows something although it is no text.
    private static let shown =
        "img, svg, picture, video, audio, canvas, object, embed, iframe, input, select, button, textarea"

    /// Looks at a response under an entry's rules.
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

    /// What keeps an extraction from being looked at; nil if nothing does.
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

    /// Whether there is no value in it: nulls, empty texts, empty lists.
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

    /// Looks at a page that is parsed.
    ///
    /// It blocks the thread.
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
