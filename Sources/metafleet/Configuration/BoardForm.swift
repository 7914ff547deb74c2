import FleetModel

extension ValueForm<[BoardConfiguration]> {
  /// The boards of the file, each address once.
  static let boards = ValueForm(shape: .list(BoardKeys.record.shape)) { node, path, reading in
    guard let boards = entries.read(node, path, &reading), let elements = node.elements else { return nil }
    var first: [BoardID: Int] = [:]
    for (index, element) in elements.enumerated() {
      guard let address = element["address"], let board = address.text.flatMap({ BoardID($0) }) else {
        continue
      }
      if let line = first[board] {
        reading.error(
          "\(path)[\(index)].address", address.position,
          "\(board.address.colonSeparated) is listed twice, first on line \(line); remove one")
      } else {
        first[board] = address.position.line
      }
    }
    return boards
  } write: {
    $0.isEmpty ? "[]" : nil
  }

  private static let entries = ValueForm.list(of: BoardKeys.record, atMost: 10_000)
}

extension ValueForm<String> {
  /// The name of a profile of this file; looked up when all is read.
  static let profileReference = ValueForm(shape: name.shape) { node, path, reading in
    guard let name = name.read(node, path, &reading) else { return nil }
    reading.profileReferences.append(.init(name: name, path: path, position: node.position))
    return name
  } write: {
    $0
  }
}

/// The keys of a board (MQTT contract 7.4).
enum BoardKeys {
  /// An address nobody has: the key is required.
  private static let prototype = BoardConfiguration(board: BoardID(BluetoothAddress(rawValue: 0)))

  static let record = ValueForm<BoardConfiguration>.record(
    [
      ConfigurationKey(
        "address", .board, \.board, .live, "Its Bluetooth address.", sample: "E5:A1:C2:D3:F4:B6",
        isRequired: true),
      ConfigurationKey(
        "name", .text(1...64), \.name, .live, "Its name for people.", sample: "Pump 3",
        whenMissing: "the advertised name"),
      ConfigurationKey(
        "site", .text(1...64), \.site, .live, "Where it is.", sample: "hq", whenMissing: "the gateway's"),
      ConfigurationKey(
        "profile", .profileReference, \.profile, .live, "What is wanted of it.", sample: "vibration",
        whenMissing: "none: battery and button only"),
      ConfigurationKey(
        "groups", .list(of: .group, atMost: 16), \.groups, .live,
        "Groups it belongs to; all holds every board."),
      ConfigurationKey("labels", .labels, \.labels, .live, "Labels of your own."),
      ConfigurationKey(
        "adapter", .adapter, \.adapter, .live, "The adapter it must use.", sample: "00:1A:7D:DA:71:13",
        whenMissing: "any"),
      ConfigurationKey(
        "enabled", .boolean, \.isEnabled, .live, "false: known, but left alone."),
    ], from: prototype)
}

extension ValueForm<[String: String]> {
  /// Labels of a board.
  fileprivate static let labels = ValueForm.map(
    keys: .labelKey, pattern: "^[a-z][a-z0-9_]{0,31}$", to: .text(0...128), atMost: 16)
}
