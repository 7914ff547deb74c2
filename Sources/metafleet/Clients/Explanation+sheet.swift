import Fleet
import FleetModel

extension Explanation {
  /// The explanation for people.
  func sheet(of name: String, now: Timestamp) -> FactSheet {
    var section = FactSheet.Section(title: printable("\(name): \(summary)"))
    for cause in causes {
      let age = cause.since.map { " (for \(Age.text(of: now - $0)))" } ?? ""
      section.add(cause.code.rawValue, cause.text + age, cause.isFault ? .bad : .warning)
    }
    for step in next {
      let left = step.time - now
      section.add("next", "\(left <= .zero ? "now" : "in \(Age.text(of: left))"): \(step.text)")
    }
    if section.facts.isEmpty { section.add("causes", "none: everything is in order", .good) }
    return FactSheet(sections: [section])
  }
}
