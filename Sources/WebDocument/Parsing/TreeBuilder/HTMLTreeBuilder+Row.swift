/// The modes in table body, in row and in cell.
extension HTMLTreeBuilder {
    // MARK: - In table body

    /// [The "in table body" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intbody).
    mutating func inTableBodyStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .tr:
            try clearStackToTableBodyContext()
            try insertHTMLElement(tag)
            mode = .inRow
            return .done
        case .th, .td:
            try clearStackToTableBodyContext()
            try insertHTMLElement(.implied(.tr))
            mode = .inRow
            return .reprocess
        case .caption, .col, .colgroup, .tbody, .tfoot, .thead: return try closeTableBody()
        default: return try inTableStartTag(tag)
        }
    }

    mutating func inTableBodyEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .tbody, .tfoot, .thead:
            guard stack.hasInTableScope(tag.name) else { return .done }
            try clearStackToTableBodyContext()
            try popElement()
            mode = .inTable
            return .done
        case .table: return try closeTableBody()
        case .body, .caption, .col, .colgroup, .html, .td, .th, .tr: return .done
        default: return try inTableEndTag(tag)
        }
    }

    private mutating func closeTableBody() throws(HTMLParserError) -> HTMLFlow {
        guard stack.hasInTableScope(.tbody) || stack.hasInTableScope(.thead) || stack.hasInTableScope(.tfoot)
        else {
            return .done
        }
        try clearStackToTableBodyContext()
        try popElement()
        mode = .inTable
        return .reprocess
    }

    /// [Clear the stack back to a table body context](https://html.spec.whatwg.org/multipage/parsing.html#clear-the-stack-back-to-a-table-body-context).
    private mutating func clearStackToTableBodyContext() throws(HTMLParserError) {
        let sections = max(stack.last(.tbody), stack.last(.tfoot), stack.last(.thead))
        try popElements(downTo: max(sections, stack.last(.template), 0) + 1)
    }

    // MARK: - In row

    /// [The "in row" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intr).
    mutating func inRowStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .th, .td:
            try clearStackToTableRowContext()
            let element = try insertHTMLElement(tag)
            mode = .inCell
            formatting.pushMarker(element)
            return .done
        case .caption, .col, .colgroup, .tbody, .tfoot, .thead, .tr: return try closeRow(for: .reprocess)
        default: return try inTableStartTag(tag)
        }
    }

    mutating func inRowEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .tr: return try closeRow(for: .done)
        case .table: return try closeRow(for: .reprocess)
        case .tbody, .tfoot, .thead:
            guard stack.hasInTableScope(tag.name) else { return .done }
            return try closeRow(for: .reprocess)
        case .body, .caption, .col, .colgroup, .html, .td, .th: return .done
        default: return try inTableEndTag(tag)
        }
    }

    private mutating func closeRow(for flow: HTMLFlow) throws(HTMLParserError) -> HTMLFlow {
        guard stack.hasInTableScope(.tr) else { return .done }
        try clearStackToTableRowContext()
        try popElement()
        mode = .inTableBody
        return flow
    }

    /// [Clear the stack back to a table row context](https://html.spec.whatwg.org/multipage/parsing.html#clear-the-stack-back-to-a-table-row-context).
    private mutating func clearStackToTableRowContext() throws(HTMLParserError) {
        try popElements(downTo: max(stack.last(.tr), stack.last(.template), 0) + 1)
    }

    // MARK: - In cell

    /// [The "in cell" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intd).
    mutating func inCellStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr:
            // Fragment case
            guard stack.hasInTableScope(.td) || stack.hasInTableScope(.th) else { return .done }
            try closeCell()
            return .reprocess
        default: return try inBodyStartTag(tag)
        }
    }

    mutating func inCellEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .td, .th:
            guard stack.hasInTableScope(tag.name) else { return .done }
            try generateImpliedEndTags()
            try popUntil(tag.name)
            formatting.clearToLastMarker()
            mode = .inRow
            return .done
        case .body, .caption, .col, .colgroup, .html: return .done
        case .table, .tbody, .tfoot, .thead, .tr:
            guard stack.hasInTableScope(tag.name) else { return .done }
            try closeCell()
            return .reprocess
        default: return try inBodyEndTag(tag)
        }
    }

    /// [Close the cell](https://html.spec.whatwg.org/multipage/parsing.html#close-the-cell).
    private mutating func closeCell() throws(HTMLParserError) {
        try generateImpliedEndTags()
        try popElements(downTo: max(stack.last(.td), stack.last(.th), 0))
        formatting.clearToLastMarker()
        mode = .inRow
    }
}
