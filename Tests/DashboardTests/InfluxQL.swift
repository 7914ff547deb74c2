import FleetModel

/// What a query of InfluxDB's older language names, held against what `dashboards/telegraf` writes.
enum InfluxQL {
  /// Columns by measurement: fields and tags.
  static let measurements: [String: Set<String>] = {
    var found: [String: Set<String>] = [:]
    for stream in SampleContract.streams {
      found[stream.name] = SampleContract.columns(of: stream).union(SampleContract.tags)
    }
    for path in ShippedFiles.files(in: "telegraf", endingIn: ".conf") {
      guard let file = try? TOML.parse(ShippedFiles.text(path)) else { continue }
      for consumer in file["inputs"]["mqtt_consumer"].list {
        guard let name = consumer["name_override"].text else { continue }
        for topic in consumer["topics"].list.compactMap(\.text) {
          found[name, default: []].formUnion(TopicContract.ours.keysOfAny(topic))
        }
      }
    }
    return found
  }()

  /// What is wrong with the names in a query, in sentences.
  static func problems(of query: String) -> [String] {
    let names = query.replacing(/AS\s+"[^"]*"/, with: "").replacing(/FROM\s+"[^"]*"/, with: "")
      .matches(of: /"([^"]*)"/).map { String($0.1) }
    guard let from = query.firstMatch(of: /FROM\s+"([^"]*)"/) else {
      let known = measurements.values.reduce(into: Set<String>()) { $0.formUnion($1) }
      return names.filter { !known.contains($0) }.map { "no tag \($0)" }
    }
    guard let columns = measurements[String(from.1)] else { return ["no measurement \(from.1)"] }
    return names.filter { !columns.contains($0) }.map { "no field or tag \($0) in \(from.1)" }
  }
}
