/// What can be asked for.
package enum Page: String, Sendable, CaseIterable {
  case status = "/"
  case style = "/style.css"
  case metrics = "/metrics"
  case health = "/healthz"
  case readiness = "/readyz"
}

/// A page as somebody may see it.
package struct PageView: Hashable, Sendable {
  package var page: Page
  /// Whether names of boards and sites are in it.
  package var showsNames: Bool

  package init(_ page: Page, showsNames: Bool) { (self.page, self.showsNames) = (page, showsNames) }
}
