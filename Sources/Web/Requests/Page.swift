/// What is made of how the gateway is, and shown to everybody who asks for it within a second.
package enum Page: String, Sendable, CaseIterable {
  case status = "/status"
  case style = "/style.css"
  case metrics = "/metrics"
  case health = "/healthz"
  case readiness = "/readyz"
  case documents = "/api/documents"
  case verbs = "/api/verbs"

  /// Whether it is for whoever reaches the address: without names, where those are not.
  var isForAnybody: Bool {
    switch self {
    case .style, .metrics, .health, .readiness: true
    case .status, .documents, .verbs: false
    }
  }
}

/// A page as somebody may see it.
package struct PageView: Hashable, Sendable {
  package var page: Page
  /// Whether names of boards and sites are in it.
  package var showsNames: Bool

  package init(_ page: Page, showsNames: Bool) { (self.page, self.showsNames) = (page, showsNames) }
}
