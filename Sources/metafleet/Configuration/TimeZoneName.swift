import FleetModel

/// How time zones are named, and what is meant by other names. Pure.
enum TimeZoneName {
  /// Whether `name` has the form of one: a region and a city, or UTC. Letters such as EST and distances such as GMT+2
  /// are none: the clocks of a place are put forward and back.
  static func isOne(_ name: String) -> Bool { name == "UTC" || name.contains("/") }

  /// What to write instead of `name`, which is none of `names`.
  static func advice(for name: String, among names: [String]) -> String {
    let wanted = plain(name)
    let same = names.first { plain($0) == wanted } ?? names.first { plain(city(of: $0)) == wanted }
    if let same { return "did you mean \(same)?" }
    if isOne(name), let near = Suggestion.nearest(to: name, in: names) { return "did you mean \(near)?" }
    if wanted.utf8.count > 4 {
      let near = Suggestion.nearest(to: wanted, in: names.map { city(of: $0) })
      if let near, let whole = names.first(where: { city(of: $0) == near }) {
        return "did you mean \(whole)?"
      }
    }
    return "write region and city, such as Europe/Berlin, or UTC; timedatectl list-timezones shows them all"
  }

  private static func city(of name: String) -> String { String(name.split(separator: "/").last ?? "") }

  private static func plain(_ name: String) -> String { name.lowercased().replacing(" ", with: "_") }
}
