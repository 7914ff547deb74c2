import FleetModel

extension RecoveredSignal {
  /// The signal as a stream that is logged: under the name we gave it, or else, as somebody else's, under its canonical
  /// one; in the fields of the catalogue where it is one of its streams.
  func logged(ours name: String? = nil) -> LoggedStream {
    let stream = StreamCatalogue.find(name ?? self.name)
    let known = stream.map { LogCompiler.fields(of: $0.stream, $0.component) }
    let own = layout.map { ChainFields(Self.stem(of: name ?? self.name), $0).fields } ?? []
    return LoggedStream(
      name: name ?? self.name, fields: known?.count == own.count ? known ?? own : own,
      slots: loggers.map(Int.init), layout: layout?.encoded ?? [], isOurs: name != nil)
  }

  /// What field names begin with: `acceleration:rms?id=0` becomes `acceleration_rms_id_0`.
  private static func stem(of name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
  }
}
