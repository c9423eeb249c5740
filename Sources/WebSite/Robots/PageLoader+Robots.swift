import HTTPTypes
public import WebLoader
public import WebStandards

extension PageLoader {
    /// Fetches the robots.txt of a site.
    ///
    /// There are rules in any case, as described for ``RobotsRules/init(_:)``: if the file is missing or refused,
    /// everything is allowed; if the site has an error or cannot be reached, nothing is. The file may be cached for a
    /// day at most.
    ///
    /// ```swift
    /// let rules = await loader.robotsRules(ofSite: page)
    /// guard rules.access(to: page, agent: "Crab").isAllowed else { return }
    /// ```
    ///
    /// - Parameters:
    ///   - url: Any URL of the site. A site that is neither http nor https has no such file.
    ///   - template: The template of the request: its fields, its cache policy, its time-out. Its URL and its method
    ///     are ignored. `nil` for a plain request.
    /// - Returns: The rules.
    public func robotsRules(ofSite url: WebURL, template: WebRequest? = nil) async -> RobotsRules {
        await robotsFile(ofSite: url, template: template)?.rules ?? .allAllowed
    }

    /// Fetches the robots.txt of a site; `nil` if its scheme is neither http nor https.
    package func robotsFile(ofSite url: WebURL, template: WebRequest?) async -> RobotsFile? {
        guard let location = RobotsFile.location(ofSite: url) else { return nil }
        return await robotsFile(at: location, template: template)
    }

    /// Reads a robots.txt from a URL, which may be a file's.
    package func robotsFile(at url: WebURL, template: WebRequest?) async -> RobotsFile {
        var result = RobotsRules.FetchResult.unreachable
        var file = RobotsFile(url: url)
        var request = WebRequest(url: url, like: template, ofSitesOf: [url])
        request.followsRedirects = true
        do throws(LoadError) {
            let response = try await streamOfAnySize(request)
            file.note(response.head)
            if response.head.redirects.count > RobotsRules.maximumRedirects {
                result = .tooManyRedirects
            } else {
                let status = response.head.status?.code ?? 200
                // The body of an error page is ignored.
                let body = 200..<300 ~= status ? try await RobotsFile.body(response) : []
                result = .response(status: status, body: body)
            }
        } catch {
            file.error = error
            switch error.code {
            case "network.too-many-redirects": result = .tooManyRedirects
            // The site was not contacted: all responses come from an archive, or only from the cache.
            case "archive.miss", "cache.miss": result = .response(status: 404, body: [])
            default: break
            }
        }
        file.rules = RobotsRules(result)
        return file
    }
}
