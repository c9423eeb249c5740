extension Rendering.Ending: ReportWord {}

extension Rendering: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("rendering", "How the page's scripts were run.")
        members.required("ending", "Why the page was taken as it was.", \.ending)
        members.required(
            "of_scripts",
            "Whether it is what scripts have made of it, and not as it was served.",
            \.isOfScripts
        )
        members.flag("cut", "Present if it has more than was taken.", \.isCut)
        members.required("milliseconds", as: .count, "How long it took.") { $0.duration.wholeMilliseconds }
        members.required(
            "peak_memory",
            as: .count,
            "The most bytes that the browser's processes were seen to take.",
            \.peakMemory
        )
        members.required("bytes", as: .count, "Bytes of all responses, without content codings.", \.bytes)
        members.required("request_count", as: .count, "How many requests there were.", \.requestCount)
        members.required("requests", "The requests, in their order; at most 1,000.", \.requests)
        members.required("message_count", as: .count, "How many messages scripts had.", \.messageCount)
        members.required("messages", "What scripts have said, in that order; at most 1,000.", \.messages)
    }
}

extension Rendering.Request: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("rendering_request", "Something that the page has asked for.")
        members.required("url", "The URL.", \.url)
        members.required("method", "The method.", \.method)
        members.required("kind", "What it was for: document, script, image, xhr, fetch and so on.", \.kind)
        members.required("status", "The HTTP status; null without a response of HTTP.", \.status)
        members.required("bytes", as: .count, "Bytes of the body, without content codings.", \.bytes)
        members.optional("source", "Where the response came from.", \.source)
        members.optional("code", "Why there was no response, as a stable word.", \.code)
    }
}

extension Rendering.Message: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("rendering_message", "Something that a script has said, or that went wrong in one.")
        members.required("level", "The console's word; exception for one that nobody has caught.", \.level)
        members.required("text", "The text; at most 1,000 characters of it.", \.text)
        members.optional("url", "The URL of the script.", \.url)
        members.optional("line", "The line in it, from 1.", \.line)
    }
}
