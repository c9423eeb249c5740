import WebLoader

extension Form {
    /// As in "post https://h/login: user, password, submit"; one for each of the first forms.
    static func text(_ forms: [Form]) -> [String] {
        let shown = forms.prefix(5).map { form in
            let fields = form.fields.filter { $0.type != "hidden" }.map { field in
                field.name.flatMap { $0.isEmpty ? nil : $0 } ?? field.type
            }
            let names = fields.isEmpty ? "" : ": \(Wording.first(6, of: fields))"
            let target = form.action?.description ?? form.reference ?? ""
            return "\(form.method.rawValue) \(target)\(names)"
        }
        return shown + (forms.count > 5 ? ["and \(forms.count - 5) more"] : [])
    }
}
