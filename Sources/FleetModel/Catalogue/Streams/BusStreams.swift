/// Registers of devices on the board's buses: two families of streams, whose names whoever reads them chooses (MQTT
/// contract 2.2).
public enum BusStreams {
  /// The buses, by the words that names begin with.
  public enum Bus: String, Sendable, CaseIterable { case i2c, spi }

  /// What a stream reads, and how the bytes make one whole number.
  public struct Reading: Hashable, Sendable {
    /// What is read.
    public let command: BusCommand
    /// Bytes, 1–4.
    public let length: Int
    /// Whether the number is a two's complement.
    public let isSigned: Bool
    /// Whether the highest byte comes first, of several.
    public let isBigEndian: Bool
  }

  /// Bus and chosen name of a stream's name; nil for a name of anything else.
  public static func parse(_ name: String) -> (bus: Bus, name: String)? {
    let parts = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let bus = Bus(rawValue: String(parts[0])) else { return nil }
    let own = String(parts[1])
    return NameForm.boardName.fits(own) ? (bus, own) : nil
  }

  static func stream(named name: String) -> StreamDefinition? {
    guard let (bus, own) = parse(name) else { return nil }
    // Four bytes, with a sign or without.
    let field = StreamDefinition.Field(
      String(own.map { $0 == "-" ? "_" : $0 }) + "_raw", "", .integer,
      possible: -2_147_483_648...4_294_967_295, isKeptByPacket: true)
    return StreamDefinition(
      name: name, fields: [field], module: "serial", isReadable: true, logEntries: 1,
      ownParameters: parameters(of: bus))
  }

  /// What the stream of that name reads where it is configured so; nil where it is no stream of a bus, or something
  /// that it needs is missing. What has a default may be left out.
  public static func reading(_ name: String, _ configuration: JSONObject) -> Reading? {
    guard let (bus, _) = parse(name) else { return nil }
    var keys = configuration
    for parameter in parameters(of: bus) where keys[parameter.name] == nil {
      guard !parameter.isRequired else { return nil }
      keys[parameter.name] = parameter.standard
    }
    guard let length = keys["length"]?.integer.flatMap({ Int(exactly: $0) }), (1...4).contains(length) else {
      return nil
    }
    return Reading(
      command: bus == .i2c ? BusVerbs.i2cReading(keys) : BusVerbs.spiReading(keys), length: length,
      isSigned: keys["format"]?.string == "i", isBigEndian: length > 1 && keys["big_endian"]?.bool != false)
  }

  private static func parameters(of bus: Bus) -> [Parameter] {
    let length = Parameter("length", .integer(1...4), required: true, "bytes to read")
    let number = [
      Parameter("format", .choice(["u", "i"]), standard: "u", "unsigned, or with a sign"),
      Parameter("big_endian", .boolean, standard: true, "whether the highest byte comes first"),
    ]
    return switch bus {
    case .i2c: BusVerbs.target + [length] + number
    case .spi: BusVerbs.link + [length, BusVerbs.sentFirst] + number
    }
  }
}
