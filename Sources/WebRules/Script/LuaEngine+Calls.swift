import CLua

/// The functions that scripts can call: those of the document, which is read-only, and those of `url`, `json`
/// and `log`.
extension LuaEngine {
    /// Why a call has no value.
    private enum CallFailure: Error {
        /// The script receives the error.
        case message(String)
        /// The run has to end.
        case stop(RuleFailure)
    }

    /// Answers a call from a script.
    ///
    /// No Swift error may be thrown through Lua's frames, so the returned value says how the call ended.
    func answer(
        _ operation: UInt32,
        _ node: webl_lua_node,
        _ text: UnsafeRawBufferPointer
    ) -> webl_lua_answer {
        guard let activation else { return WEBL_LUA_BREACH }
        var record = RecordWriter()
        do throws(CallFailure) {
            unsafe try answer(operation, node, text, activation, into: &record)
            return reply(record.bytes) ? WEBL_LUA_VALUE : WEBL_LUA_BREACH
        } catch {
            switch error {
            case .message(let message): return reply(Array(message.utf8)) ? WEBL_LUA_ERROR : WEBL_LUA_BREACH
            case .stop(let reason):
                failure = reason
                return WEBL_LUA_BREACH
            }
        }
    }

    private func answer(
        _ operation: UInt32,
        _ handle: webl_lua_node,
        _ bytes: UnsafeRawBufferPointer,
        _ activation: Activation,
        into record: inout RecordWriter
    ) throws(CallFailure) {
        // Calls that concern no node pass the identity 0.
        guard handle.document == activation.serial || handle.identity == 0 else {
            throw .message("the node is no longer valid: nodes last as long as the script that got them")
        }
        let node = Node(address: UInt(truncatingIfNeeded: handle.identity), in: activation.document)
        func text() -> String { unsafe String(decoding: bytes, as: UTF8.self) }
        switch operation {
        case WEBL_LUA_SELECT.rawValue: try select(text(), node, into: &record)
        case WEBL_LUA_XPATH.rawValue: try evaluate(text(), node, into: &record)
        case WEBL_LUA_TEXT.rawValue: record.write(JSONValue.string(node.textContent))
        case WEBL_LUA_ATTRIBUTE.rawValue: record.write(JSONValue(node.attribute(text())))
        case WEBL_LUA_HTML.rawValue: record.write(JSONValue.string(node.innerHTML))
        case WEBL_LUA_CHILDREN.rawValue: write(node.children, into: &record)
        case WEBL_LUA_PARENT.rawValue:
            if let parent = node.parent {
                record.write(node: parent.address)
            } else {
                record.write(JSONValue.null)
            }
        case WEBL_LUA_LINE.rawValue: record.write(JSONValue(node.position?.line))
        case WEBL_LUA_NAME.rawValue: record.write(JSONValue.string(node.name))
        case WEBL_LUA_RESOLVE.rawValue: record.write(resolve(text(), activation.context.baseURL))
        case WEBL_LUA_JSON_DECODE.rawValue:
            do throws(JSONValue.ParsingError) {
                record.write(try unsafe JSONValue(parsing: bytes))
            } catch {
                throw .message("json.decode: \(error.description)")
            }
        case WEBL_LUA_JSON_ENCODE.rawValue:
            var reader = unsafe RecordReader(bytes)
            do throws(RecordReader.Malformed) {
                let value = try reader.value()
                let json = value.serialized(sortingNames: false)
                record.write(JSONValue.string(String(decoding: json, as: UTF8.self)))
            } catch {
                throw .message("json.encode: the value cannot be written")
            }
        case WEBL_LUA_LOG.rawValue:
            do throws(RuleFailure) {
                try activation.context.log(text())
                record.write(JSONValue.null)
            } catch {
                throw .stop(error)
            }
        default: throw .message("unknown function")
        }
    }

    private func select(_ text: String, _ node: Node, into record: inout RecordWriter) throws(CallFailure) {
        do throws(SelectorError) {
            write(try node.querySelectorAll(try selector(text)), into: &record)
        } catch {
            throw .message("\(text): \(error.message)")
        }
    }

    private func evaluate(_ text: String, _ node: Node, into record: inout RecordWriter) throws(CallFailure) {
        let value: XPathValue
        do throws(SelectorError) {
            value = try node.evaluate(try expression(text))
        } catch {
            throw .message("\(text): \(error.message)")
        }
        switch value {
        case .string(let text): record.write(JSONValue.string(text))
        case .number(let number): record.write(JSONValue.number(number))
        case .boolean(let isTrue): record.write(JSONValue.bool(isTrue))
        case .nodes(let nodes):
            record.writeList(count: nodes.count)
            for node in nodes {
                switch node {
                case .node(let node): record.write(node: node.address)
                case .attribute(let attribute, let owner):
                    record.write(attribute: attribute.name, attribute.value, of: owner.address)
                case .namespace(_, let name): record.write(JSONValue.string(name))
                }
            }
        }
    }

    private func write(_ nodes: [Node], into record: inout RecordWriter) {
        record.writeList(count: nodes.count)
        for node in nodes { record.write(node: node.address) }
    }

    /// The URL of a reference, resolved against a base; null if the reference is not a valid URL.
    private func resolve(_ reference: String, _ base: WebURL) -> JSONValue {
        // An invalid URL is no error here: the script receives nil.
        guard let url = try? WebURL(reference, base: base) else { return .null }
        return .string(url.href)
    }
}
