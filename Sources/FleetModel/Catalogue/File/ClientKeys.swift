/// Every key of the file for clients: the broker, as the section `mqtt` of the configuration file says it.
package enum ClientKeys {
  /// The keys of the file. None says when a change takes effect: each command reads the file anew.
  package static let file = [
    ConfigurationKeys.section(
      "mqtt", keys, defaults: UplinkConfiguration().document, "The broker and how to reach it.")
  ]

  private static let names: Set<String> = [
    "host", "port", "tls", "username", "password_file", "base", "protocol", "connect_timeout",
  ]

  private static let keys = ConfigurationKeys.mqtt.filter { names.contains($0.name) }.map(timeless)

  private static func timeless(_ key: Parameter) -> Parameter {
    var type = key.type
    if case .worded(let words, .either(let forms)) = type {
      type = .worded(
        words,
        .either(
          forms.map { form in
            if case .object(let members) = form { .object(members.map(timeless)) } else { form }
          }))
    }
    var file = key.file
    file?.reload = nil
    return Parameter(
      key.name, type, required: key.isRequired, standard: key.standard, file: file, key.summary)
  }
}

/// The file for clients, read and judged.
package struct ClientReading: Sendable {
  /// The broker; of no use where there are errors.
  package let uplink: UplinkConfiguration
  /// What is wrong, with its place.
  package let faults: [ArgumentFault]

  /// Checks `file` against its declaration, and what is said in one place against what is said in others.
  package init(_ file: JSONValue) {
    var check = ArgumentCheck()
    let values = check.value(file, as: .object(ClientKeys.file), at: .file)?.object ?? [:]
    uplink = UplinkConfiguration(document: values["mqtt"]?.object ?? [:])
    faults =
      check.faults.isEmpty ? ConfigurationReading(file, over: FleetConfiguration()).faults : check.faults
  }
}
