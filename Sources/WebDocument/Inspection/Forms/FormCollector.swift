/// Gathers forms, controls and labels in one walk, however they are nested.
struct FormCollector {
    /// A `label`, and the control that it is for.
    struct Label {
        var text = ""
        /// The value of `for`; nil without it.
        let reference: String?
        /// The index of the first control inside; `nil` if there is none.
        var control: Int?
    }

    private enum Kind {
        case form
        case select(Int)
        case optionGroup
        case option(Int, textStart: Int)
        case label(Int, start: RenderedText.Start)
        case fieldset
        case legend
        case datalist
        /// An element whose text is not part of a label's text.
        case silent
        /// One whose text is not part of an option's text either.
        case script
        /// A shadow root: what is inside belongs to no form around it.
        case shadow
    }

    private(set) var forms: [TreeNode] = []
    private(set) var controls: [FormControl] = []
    private(set) var labels: [Label] = []
    private let document: Document
    private let budget: InspectionBudget

    private var open: [(node: TreeNode, kind: Kind)] = []
    private var openForms: [Int?] = []
    private var openSelect: Int?
    private var openGroup: (index: Int, isDisabled: Bool)?
    private var disabledFieldsets: [(node: TreeNode, hasLegend: Bool)] = []
    private var disabling = 0
    private var datalists = 0
    private var shadows = 0
    private var templates = 0

    /// The text of the labels, and of the options, that are open.
    private var labelText = RenderedText()
    private var optionText: [UInt8] = []
    private var openLabels = 0
    private var openOptions = 0
    private var silent = 0
    private var scripts = 0

    /// The labels that are open and have no control yet.
    private var waitingLabels: [Int] = []

    // The units that a form, a control and an option take besides their texts, including the report.
    private static let formSize = 1024
    private static let controlSize = 960
    private static let optionSize = 512

    package init(_ document: Document, _ budget: InspectionBudget) {
        self.document = document
        self.budget = budget
    }

    /// Whether there is a form; if not, the controls belong to none.
    var hasForms: Bool { !forms.isEmpty }

    /// Processes the next step of a walk over a document.
    @inline(__always)
    mutating func take(_ step: ContentsWalk.Step) {
        switch step {
        case .enter(let node): if templates == 0 { enter(node) }
        case .leave(let node):
            guard templates == 0 else { break }
            if open.last?.node == node { leave() }
            if openLabels > 0, silent == 0 { labelText.leave(node) }
        case .enterContents(of: let host): enterContents(of: host)
        case .leaveContents(of: let host): leaveContents(of: host)
        }
    }

    private mutating func enterContents(of host: TreeNode) {
        if host.isTemplate {
            templates += 1
        } else if templates == 0 {
            open.append((host, .shadow))
            openForms.append(nil)
            shadows += 1
        }
    }

    private mutating func leaveContents(of host: TreeNode) {
        if host.isTemplate {
            templates -= 1
        } else if templates == 0 {
            leave()
        }
    }

    private mutating func enter(_ node: TreeNode) {
        if openLabels > 0, silent == 0 { labelText.enter(node) }
        guard node.isElement else {
            if openOptions > 0, scripts == 0 { node.appendText(to: &optionText) }
            return
        }
        guard let name = unsafe node.nameBytes else { return }
        switch unsafe name[0] {
        case UInt8(ascii: "i") where node.hasName("input"): addControl(node)
        case UInt8(ascii: "b") where node.hasName("button"): addControl(node, .silent)
        case UInt8(ascii: "t") where node.hasName("textarea"): addControl(node, .silent)
        case UInt8(ascii: "s"):
            if node.hasName("select") {
                addControl(node, .select(controls.count))
            } else if node.hasName("style") {
                push(node, .silent)
            } else if node.hasName("script") {
                push(node, .script)
            }
        case UInt8(ascii: "o"):
            if node.hasName("option") {
                addOption(node)
            } else if node.hasName("optgroup") {
                addOptionGroup(node)
            } else if node.hasName("output") {
                takeLabels(nil, node)
            }
        case UInt8(ascii: "f"):
            if node.hasName("form") {
                addForm(node)
            } else if node.hasName("fieldset"), node.isHTMLElement, node.hasAttribute("disabled") {
                disabledFieldsets.append((node, false))
                disabling += 1
                push(node, .fieldset)
            }
        case UInt8(ascii: "l"):
            if node.hasName("label") {
                addLabel(node)
            } else if node.hasName("legend") {
                enterLegend(node)
            }
        case UInt8(ascii: "d") where node.hasName("datalist") && node.isHTMLElement:
            datalists += 1
            push(node, .datalist)
        case UInt8(ascii: "m") where node.hasName("meter"), UInt8(ascii: "p") where node.hasName("progress"):
            takeLabels(nil, node)
        default: break
        }
    }

    private mutating func push(_ node: TreeNode, _ kind: Kind) {
        open.append((node, kind))
        switch kind {
        case .silent: silent += 1
        case .script:
            silent += 1
            scripts += 1
        default: break
        }
    }

    private mutating func leave() {
        switch open.removeLast().kind {
        case .form: openForms.removeLast()
        case .select:
            openSelect = nil
            silent -= 1
        case .optionGroup: openGroup = nil
        case .option(let control, let start): closeOption(control, start)
        case .label(let label, let start): closeLabel(label, start)
        case .fieldset:
            disabledFieldsets.removeLast()
            disabling -= 1
        case .legend: disabling += 1
        case .datalist: datalists -= 1
        case .silent: silent -= 1
        case .script:
            silent -= 1
            scripts -= 1
        case .shadow:
            openForms.removeLast()
            shadows -= 1
        }
    }

    // MARK: - Forms and fieldsets

    private mutating func addForm(_ node: TreeNode) {
        guard node.isHTMLElement, budget.spend(size: Self.formSize, text: 2 * node.attributesLength) else {
            return
        }
        openForms.append(forms.count)
        forms.append(node)
        push(node, .form)
    }

    /// The first legend of a disabled fieldset is not disabled.
    private mutating func enterLegend(_ node: TreeNode) {
        guard let fieldset = disabledFieldsets.last, !fieldset.hasLegend, fieldset.node == node.parent,
            node.isHTMLElement
        else { return }
        disabledFieldsets[disabledFieldsets.count - 1].hasLegend = true
        disabling -= 1
        push(node, .legend)
    }

    // MARK: - Controls

    private mutating func addControl(_ node: TreeNode, _ kind: Kind? = nil) {
        // Counted twice, since its name and its value are part of the submission, too.
        guard node.isHTMLElement, budget.spend(size: Self.controlSize, text: 2 * node.attributesLength) else {
            return
        }
        let attributes = FormControlAttributes(node)
        let isHidden =
            node.hasName("input") && attributes.type?.isEqualIgnoringASCIICase(to: "hidden") ?? false
        if !isHidden { takeLabels(controls.count, node) }
        controls.append(
            FormControl(
                node: node,
                enclosingForm: openForms.last ?? nil,
                isDisabledByFieldset: disabling > 0,
                isSuggestion: datalists > 0,
                isInSelect: openSelect != nil,
                isInShadow: shadows > 0,
                attributes: attributes
            )
        )
        guard let kind else { return }
        if case .select(let index) = kind {
            guard openSelect == nil else { return push(node, .silent) }
            openSelect = index
            silent += 1
        }
        push(node, kind)
    }

    private mutating func addOptionGroup(_ node: TreeNode) {
        guard let select = openSelect, openGroup == nil, node.isHTMLElement else { return }
        openGroup = (controls[select].optionGroups.count, node.hasAttribute("disabled"))
        controls[select].optionGroups.append(node.attribute("label")?.collapsingASCIIWhitespace ?? "")
        push(node, .optionGroup)
    }

    private mutating func addOption(_ node: TreeNode) {
        guard let select = openSelect, node.isHTMLElement,
            budget.spend(size: Self.optionSize, text: 2 * node.attributesLength)
        else { return }
        openOptions += 1
        push(node, .option(select, textStart: optionText.count))
        controls[select].options.append(
            FormOption(
                value: "",
                label: "",
                text: "",
                isSelected: false,
                isDisabled: false,
                group: openGroup?.index
            )
        )
        pendingOptions.append((node, controls[select].options.count - 1))
    }

    /// The options that are open, and their indices in their `select`.
    private var pendingOptions: [(node: TreeNode, index: Int)] = []

    private mutating func closeOption(_ control: Int, _ start: Int) {
        openOptions -= 1
        let (node, index) = pendingOptions.removeLast()
        let isWithin = budget.spend(size: 0, text: 2 * (optionText.count - start))
        let text =
            isWithin ? String(decoding: optionText[start...], as: UTF8.self).collapsingASCIIWhitespace : ""
        optionText.removeSubrange(start...)
        let label = node.attribute("label") ?? ""
        controls[control].options[index] = FormOption(
            value: node.attribute("value") ?? text,
            label: label.isEmpty ? text : label,
            text: text,
            isSelected: node.hasAttribute("selected"),
            isDisabled: node.hasAttribute("disabled") || openGroup?.isDisabled ?? false,
            group: openGroup?.index
        )
    }

    // MARK: - Labels

    private mutating func addLabel(_ node: TreeNode) {
        guard node.isHTMLElement, budget.spend(size: 64) else { return }
        let reference = shadows == 0 ? node.attribute("for") : nil
        if reference == nil { waitingLabels.append(labels.count) }
        push(node, .label(labels.count, start: labelText.begin()))
        labels.append(Label(reference: reference))
        openLabels += 1
    }

    /// A label belongs to the first element in it that can have a label.
    private mutating func takeLabels(_ control: Int?, _ node: TreeNode) {
        guard !waitingLabels.isEmpty, node.isHTMLElement else { return }
        for label in waitingLabels { labels[label].control = control }
        waitingLabels.removeAll(keepingCapacity: true)
    }

    private mutating func closeLabel(_ label: Int, _ start: RenderedText.Start) {
        openLabels -= 1
        if waitingLabels.last == label { waitingLabels.removeLast() }
        let text = labelText.end(start)
        if budget.spend(size: 0, text: text.utf8.count) { labels[label].text = text }
    }
}
