import HTTPTypes
public import WebLoader
public import WebStandards

extension PageLoader {
    /// Fetches the robots.txt of a site.
    ///
    /// Whatever happens there are rules, as ``RobotsRules/init(_:)`` says: without a file, or where it is refused, all is
    /// allowed; where the site is in trouble or cannot be reached, nothing. The file may be kept for a day at most.
    ///
    /// ```swift
    /// let rules = await loader.robotsRules(ofSite: page)
    /// guard rules.access(to: page, agent: "Crab").isAllowed else { return }
    /// ```
    ///
    /// - Parameters:
    ///   - url: Any URL of the site. A site that is neither http nor https has no such file.
    ///   - template: What the request is like: its fields, its cache policy, its time-out. Its URL and its method do not
    ///     count. Nil for a plain request.
    /// - Returns: The rules.
    public func robotsRules(ofSite url: WebURL, template: WebRequest? = nil) async -> RobotsRules {
        await robotsFile(ofSite: url, template: template)?.rules ?? .allAllowed
    }

    /// Fetches the robots.txt of a site; nil if it is no site of http or https.
    package func robotsFile(ofSite url: WebURL, template: WebRequest?) async -> RobotsFile? {
        guard let location = RobotsFile.location(ofSite: url) else { return nil }
        return await robotsFile(at: location, template: template)
    }

    /// Reads a robots.txt from a URL, of a file too.
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
                // What an error page says does not matter.
                let body = 200..<300 ~= status ? try await RobotsFile.body(response) : []
                result = .response(status: status, body: body)
            }
        } catch {
            file.error = error
            switch error.code {
            case "network.too-many-redirects": result = .tooManyRedirects
            // The site was not asked: what is there comes from an archive, or the cache alone.
            case "archive.miss", "cache.miss": result = .response(status: 404, body: [])
            default: break
            }
        }
        file.rules = RobotsRules(result)
        return file
    }
}
