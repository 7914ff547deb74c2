import FleetModel

/// What a file for Telegraf must be so that it takes what is published, all of it, and keeps no secret.
struct TelegrafRule {
  private let consumer: JSON
  private let contract: TopicContract

  /// What is wrong with a file, in sentences.
  static func problems(of file: JSON, contract: TopicContract = .ours) -> [String] {
    let known: Set<String> = ["agent", "inputs", "outputs"]
    let plugins: Set<String> = ["mqtt_consumer", "prometheus", "http_response", "influxdb_v2"]
    let used = ["inputs", "outputs"].flatMap { file[$0].members.keys }
    let places = file.texts.filter { $0.contains(/localhost|\d+\.\d+\.\d+\.\d+/) }
    return file.members.keys.filter { !known.contains($0) }.map { "no rules for \($0)" }
      + used.filter { !plugins.contains($0) }.sorted().map { "no rules for \($0)" }
      + places.map { "names a computer: \($0)" }
      + file["inputs"]["mqtt_consumer"].list.flatMap {
        TelegrafRule(consumer: $0, contract: contract).problems
      }
  }

  private var topics: [String] { consumer["topics"].list.compactMap(\.text) }
  private func texts(_ key: String) -> [String] { consumer[key].list.compactMap(\.text) }

  private var problems: [String] {
    let what = topics.joined(separator: " ")
    return (connection + unknownTopics + parsing).map { "\(what): \($0)" }
  }

  private var connection: [String] {
    var found: [String] = []
    if texts("servers") != ["tcp://${METAFLEET_MQTT_HOST}:${METAFLEET_MQTT_PORT}"] {
      found.append("the broker comes from the environment")
    }
    if consumer["password"].text?.wholeMatch(of: /\$\{\w+\}/) == nil {
      found.append("the password comes from the environment")
    }
    // Without a session of its own, QoS 1 brings nothing while Telegraf is away.
    if consumer["qos"].number == 1,
      consumer["persistent_session"] != .bool(true) || consumer["client_id"] == .null
    {
      found.append("QoS 1 without a session")
    }
    if consumer["topic_tag"].text != "" {
      found.append("a tag with the topic doubles what board and stream say")
    }
    return found
  }

  private var unknownTopics: [String] {
    topics.filter { contract.keys(of: $0) == nil }.map { "no topic \($0)" }
  }

  /// Keys of any, and of all, of its topics.
  private var any: Set<String> { topics.reduce(into: []) { $0.formUnion(contract.keysOfAny($1)) } }
  private var all: Set<String> {
    topics.dropFirst().reduce(topics.first.flatMap(contract.keys) ?? []) {
      $0.intersection(contract.keys(of: $1) ?? [])
    }
  }

  private var parsing: [String] {
    switch consumer["data_format"].text {
    case "influx":
      return consumer["influx_timestamp_precision"].text == "1us" ? [] : ["stamps are in microseconds"]
    case "json":
      let named = Set(texts("tag_keys") + texts("json_string_fields"))
      return named.subtracting(any).sorted().map { "no field \($0)" }
        + (all.contains(consumer["json_time_key"].text ?? "") ? [] : ["the time is not in every message"])
        + (consumer["json_time_format"].text == "unix_ms" ? [] : ["times are in milliseconds"])
    case "json_v2": return consumer["json_v2"].list.flatMap(batches)
    case let other: return ["no rules for the format \(other ?? "")"]
    }
  }

  /// Batches: what is looked up in them is there, and whole numbers stay whole.
  private func batches(_ rule: JSON) -> [String] {
    let paths =
      [rule["measurement_name_path"].text] + (rule["tag"].list + rule["field"].list).map { $0["path"].text }
    var found = paths.compactMap(\.self).filter { path in
      SampleContract.streams.contains { SampleContract.batch(of: $0)[at: path] == .null }
    }.map { "no field \($0)" }
    for object in rule["object"].list {
      let sample =
        SampleContract.streams.first.map { SampleContract.batch(of: $0)[object["path"].text ?? ""] } ?? .null
      if sample.list.first?[object["timestamp_key"].text ?? ""].number == nil {
        found.append("no time \(object["timestamp_key"].text ?? "")")
      }
      if object["timestamp_format"].text != "unix_us" { found.append("stamps are in microseconds") }
      let whole = Set(object["fields"].members.filter { $0.value.text == "int" }.keys)
      found += whole.symmetricDifference(SampleContract.integers).sorted().map {
        "\($0) is whole here or in the catalogue, not in both"
      }
    }
    return found
  }
}

extension JSON {
  /// What stands at a path of keys and places, dots between them.
  fileprivate subscript(at path: String) -> JSON {
    path.split(separator: ".").reduce(self) { value, step in
      guard let place = Int(step) else { return value[String(step)] }
      return value.list.indices.contains(place) ? value.list[place] : .null
    }
  }
}
