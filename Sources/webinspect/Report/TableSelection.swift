import WebLoader

/// Which tables of a page to write.
enum TableSelection {
    /// The one of this number, from 1.
    case number(Int)
    /// Those that a selector matches.
    case selector(Selector)

    /// Reads what `--table` says.
    init(_ text: String) throws(Failure) {
        if let number = Int(bounded: text) {
            guard number > 0 else { throw Failure(usage: "--table \(text)", "tables are numbered from 1") }
            self = .number(number)
            return
        }
        do throws(SelectorError) {
            self = .selector(try Selector(text))
        } catch {
            throw Failure(error, selector: text)
        }
    }

    /// All tables, with their numbers.
    static func all(of document: Document?) -> [(number: Int, table: Table)] {
        (document?.tables ?? []).enumerated().map { ($0.offset + 1, $0.element) }
    }

    /// Those that are chosen, with their numbers among all.
    func tables(of document: Document?) throws(Failure) -> [(number: Int, table: Table)] {
        guard let document else { return [] }
        switch self {
        case .number(let number): return document.tables { index, _ in index == number - 1 }
        case .selector(let selector):
            do throws(SelectorError) {
                let chosen = Set(try document.querySelectorAll(selector))
                return document.tables { _, node in chosen.contains(node) }
            } catch {
                throw Failure(error, selector: selector.description)
            }
        }
    }
}
