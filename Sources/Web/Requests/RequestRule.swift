package import FleetModel

/// What becomes of a request: a page, or a refusal with a reason. To whom it is addressed comes before everything else
/// (fault F225). Pure.
package struct RequestRule: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case show(PageView)
    case refuse(HTTPContent)
  }

  private let hosts: HostRule
  private let isOpen: Bool

  package init(_ configuration: HTTPConfiguration) {
    hosts = HostRule(names: configuration.hosts)
    isOpen = configuration.audience == .open
  }

  package func judge(_ request: HTTPRequest) -> Verdict {
    guard let host = request.hosts.first, request.hosts.count == 1 else {
      return .refuse(.text(400, ["The request needs one header Host."]))
    }
    guard hosts.allows(host) else {
      return .refuse(
        .text(421, ["This gateway is not called like that; add the name to http.hosts if it is."]))
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      var content = HTTPContent.text(405, ["Only GET and HEAD are understood here."])
      content.headers["Allow"] = "GET, HEAD"
      return .refuse(content)
    }
    guard !request.hasBody else { return .refuse(.text(413, ["A request here has no body."])) }
    guard let page = Page(rawValue: request.path) else {
      let paths = Page.allCases.map(\.rawValue).joined(separator: " ")
      return .refuse(.text(404, ["There is no such page; there are \(paths)"]))
    }
    let showsNames = isOpen || request.isLocal
    guard showsNames || page != .status else {
      return .refuse(
        .text(403, ["The status page is for this computer alone; http.read: open shows it to others."]))
    }
    return .show(PageView(page, showsNames: showsNames))
  }
}
