import FleetModel

extension RecoveredSignal {
  /// The signal as a stream that somebody else logs: under its canonical name, in the fields of the catalogue where it is
  /// one of its streams.
  var logged: LoggedStream {
    let known = StreamCatalogue.find(name)?.stream.fields
    let own = layout.map { ChainFields(Self.stem(of: name), $0).fields } ?? []
    return LoggedStream(
      name: name, fields: known?.count == own.count ? known ?? own : own, slots: loggers.map(Int.init),
      layout: layout?.encoded ?? [], isOurs: false)
  }

  /// What field names begin with: `acceleration:rms?id=0` becomes `acceleration_rms_id_0`.
  private static func stem(of name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
  }
}
