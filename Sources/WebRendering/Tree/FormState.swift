/// The state of a page's forms, which its tree does not have, and a script that writes it into the tree.
enum FormState {
    /// A script for an isolated world of the page's main frame, to be evaluated before the tree is requested.
    ///
    /// It writes into the tree the state that people see and that a tree does not have, only where it differs from the
    /// tree's own:
    ///
    /// - `value` of an input (never that of a password or a file), `checked`, the text of a `textarea`, `selected` of options.
    ///
    /// It goes through frames of the same origin and open shadow roots. In an isolated world no prototype is the page's; names
    /// that a page gives to images and forms do hide the members of its document and of forms, so that those are called by
    /// their prototypes.
    ///
    /// Its work is bounded: it visits 300,000 controls, options and frames, and for shadow roots as many elements; it
    /// reads 32 million characters of values, and writes 20,000 times. Everything else stays as in the tree. A custom
    /// element is notified of its attributes, so that the page's code may run on while this is evaluated: the caller
    /// bounds the time.
    static let script = """
        (() => {
        'use strict';
        const HTML = 'http://www.w3.org/1999/xhtml';
        const getter = (type, name) => {
            const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
            return Function.prototype.call.bind(get);
        };
        const method = (type, name) => {
            return Function.prototype.call.bind(type.prototype[name]);
        };
        const typeOf = getter(Node, 'nodeType');
        const namespaceOf = getter(Element, 'namespaceURI');
        const nameOf = getter(Element, 'localName');
        const shadowRootOf = getter(Element, 'shadowRoot');
        const hasAttribute = method(Element, 'hasAttribute');
        const getAttribute = method(Element, 'getAttribute');
        const setAttribute = method(Element, 'setAttribute');
        const removeAttribute = method(Element, 'removeAttribute');
        const findInDocument = method(Document, 'querySelectorAll');
        const findInFragment = method(DocumentFragment, 'querySelectorAll');
        const walkerOf = method(Document, 'createTreeWalker');
        const plain = new Document();
        let nodes = 300000, walked = 300000, characters = 32000000, writes = 20000;

        const read = text => {
            characters -= text.length;
            return characters >= 0;
        };
        const write = (change, ...values) => {
            if (writes > 0) change(...values);
            writes--;
        };
        const setFlag = (element, name, isSet) => {
            if (hasAttribute(element, name) === isSet) return;
            if (isSet) write(setAttribute, element, name, ''); else write(removeAttribute, element, name);
        };

        // What an input of these attributes has by itself: a range without a value is in the middle.
        const isItsOwn = (element, value) => {
            const own = element.defaultValue;
            if (value === own) return true;
            if (['text', 'search', 'tel'].includes(element.type)) return value === own.replace(/[\\r\\n]/g, '');
            if (writes-- <= 0) return true;
            const fresh = plain.createElementNS(HTML, 'input');
            for (const name of ['type', 'min', 'max', 'step', 'multiple', 'value']) {
                if (hasAttribute(element, name)) fresh.setAttribute(name, getAttribute(element, name));
            }
            return fresh.value === value;
        };
        const visitInput = element => {
            switch (element.type) {
            case 'password': case 'file': case 'hidden': case 'submit': case 'reset': case 'button': case 'image': break;
            case 'checkbox': case 'radio': setFlag(element, 'checked', element.checked); break;
            default: {
                const value = element.value;
                if (read(value) && !isItsOwn(element, value)) write(setAttribute, element, 'value', value);
            }
            }
        };
        const visitTextArea = element => {
            const value = element.value;
            if (!read(value) || value === element.defaultValue.replace(/\\r\\n?/g, '\\n')) return;
            write(() => { element.defaultValue = value; });
        };
        const visitSelect = element => {
            const options = [];
            for (const option of element.options) {
                if (nodes-- <= 0) return;
                options.push(option);
            }
            const isSelected = options.map(option => option.selected);
            let own = options.map(option => hasAttribute(option, 'selected'));
            if (!element.multiple) {
                // The last of those that say so; in a list that drops down, else the first that can be chosen.
                let chosen = own.lastIndexOf(true);
                if (chosen < 0 && element.size <= 1) {
                    chosen = options.findIndex(option => !option.disabled
                        && !(option.parentNode && nameOf(option.parentNode) === 'optgroup' && option.parentNode.disabled));
                }
                own = own.map((_, index) => index === chosen);
            }
            if (own.every((value, index) => value === isSelected[index])) return;
            for (const state of [true, false]) {
                options.forEach((option, index) => {
                    if (isSelected[index] === state) setFlag(option, 'selected', state);
                });
            }
        };

        const roots = [document];
        const visit = element => {
            if (namespaceOf(element) !== HTML) return;
            switch (nameOf(element)) {
            case 'input': visitInput(element); break;
            case 'textarea': visitTextArea(element); break;
            case 'select': visitSelect(element); break;
            default: if (element.contentDocument) roots.push(element.contentDocument);
            }
        };
        while (roots.length > 0) {
            const root = roots.pop();
            const find = typeOf(root) === Node.DOCUMENT_NODE ? findInDocument : findInFragment;
            for (const element of find(root, 'input, textarea, select, iframe, frame')) {
                if (nodes-- <= 0 || characters < 0 || writes <= 0) return;
                // A page that has changed what is looked at must not keep the rest from being looked at.
                try { visit(element); } catch { continue; }
            }
            // Any element may have a shadow root, and nothing finds those that do.
            const walker = walkerOf(document, root, NodeFilter.SHOW_ELEMENT);
            let element;
            while (walked-- > 0 && (element = walker.nextNode())) {
                const shadowRoot = shadowRootOf(element);
                if (shadowRoot) roots.push(shadowRoot);
            }
        }
        })()
        """
}
