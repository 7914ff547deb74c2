import BoardKit
import FleetModel

// What is between this computer and the board: the adapter, what it receives, the connection.
extension TryStep {
  /// An adapter that is used.
  static func adapter(_ status: AdapterStatus) -> TryStep {
    .done(
      .adapter, "\(status.name), \(status.id.address.colonSeparated), is used",
      ["adapter": .string(status.id.description), "name": .string(status.name)])
  }

  /// Bluetooth cannot be used at all.
  static func noService(_ message: String) -> TryStep {
    .failed(
      .adapter, "BlueZ cannot be used: \(message); DBUS_SYSTEM_BUS_ADDRESS names another bus", .unavailable)
  }

  /// No adapter can be used, or not the one that was asked for. `known` are those there are.
  static func noAdapter(wanted: String?, known: [AdapterStatus]) -> TryStep {
    let off = known.filter { wanted == nil || $0.isNamed(wanted) }.map {
      "\($0.name) is \($0.state.rawValue)"
    }
    let text =
      switch (wanted, off.isEmpty, known.isEmpty) {
      case (_, false, _):
        "\(off.joined(separator: ", ")): switch it on with rfkill unblock bluetooth, then bluetoothctl power on"
      case (let wanted?, _, false):
        Suggestion.missing("Bluetooth adapter", wanted, among: known.map(\.name))
      default: "there is no Bluetooth adapter; plug one in (bluetoothctl list names those that BlueZ has)"
      }
    return .failed(.adapter, text, .unavailable)
  }

  /// The boards received; `chosen` is the one to connect to.
  static func scan(_ entries: [ScanResult.Entry], chosen: BoardID, isWanted: Bool) -> TryStep {
    let rows = entries.map { entry in
      let report = entry.report
      let name =
        entry.isBootloader ? "waits in its bootloader" : report.visibleName.map(quoted) ?? "without a name"
      return "\(report.board.address.colonSeparated) \(name) \(report.rssi.map { "\($0) dBm" } ?? "")"
        .trimmingTrailingSpaces
    }
    let choice =
      isWanted ? "the board asked for is there" : "\(chosen.address.colonSeparated) is received best"
    return .done(
      .scan, "\(CountText.of(entries.count, "board")) received: \(rows.joined(separator: ", ")); \(choice)",
      ["boards": .array(entries.map(object)), "chosen": .string(chosen.description)])
  }

  /// With the keys of the gateway's scan.
  private static func object(_ entry: ScanResult.Entry) -> JSONValue {
    var object: JSONObject = ["board": .string(entry.report.board.description)]
    object["name"] = entry.report.visibleName.map { .string($0) }
    object["rssi_dbm"] = entry.report.rssi.map { .integer(Int64($0)) }
    object["adapter"] = .string(entry.report.adapter.description)
    object["bootloader"] = .bool(entry.isBootloader)
    return .object(object)
  }

  /// Nothing was received that could be connected. `connected` are devices that this computer is connected to.
  static func nothingReceived(
    wanted: BoardID?, received: [ScanResult.Entry], connected: [BoardID], within span: Duration
  ) -> TryStep {
    let time = DurationText.format(span)
    let data: JSONObject = ["boards": .array(received.map(object))]
    if wanted == nil, !received.isEmpty {
      let boards = received.map(\.report.board.address.colonSeparated).joined(separator: ", ")
      return .failed(
        .scan, "only boards in their bootloader were received (\(boards)): reset one with its button", .no,
        data)
    }
    var text = "no board was received within \(time)"
    if let wanted {
      text = "\(wanted.address.colonSeparated) was not received within \(time)"
      let near = TryAddress.nearest(to: wanted, in: received.map(\.report.board))
      if let near { text += " (did you mean \(near.address.colonSeparated), which was?)" }
    }
    text +=
      ": charge the board, press its button, bring it nearer, and disconnect it from phones and other computers, "
      + "for a connected board does not advertise"
    if !connected.isEmpty {
      let devices = connected.map(\.address.colonSeparated).joined(separator: ", ")
      text += "; this computer is connected to \(devices)"
    }
    return .failed(.scan, text, .no, data)
  }

  /// The board asked for waits in its bootloader.
  static func bootloader(_ board: BoardID) -> TryStep {
    .failed(
      .scan,
      "\(board.address.colonSeparated) waits in its bootloader: reset it with its button, or end its firmware update"
    )
  }

  /// The board is up.
  static func connected(_ board: BoardID, over adapter: String, after time: Duration) -> TryStep {
    .done(
      .connect,
      "\(board.address.colonSeparated) over \(adapter) after \(DurationText.format(time))",
      ["board": .string(board.description), "connect_ms": .integer(time.wholeMilliseconds)])
  }

  /// Somebody on this computer has the board already: a daemon, another program, or one that left without
  /// disconnecting.
  static func held(_ board: BoardID) -> TryStep {
    let address = board.address.colonSeparated
    return .failed(
      .connect,
      "another program on this computer is connected to \(address), and is not disturbed: where a gateway has it, "
        + "metafleet send \(address) disconnect hold_s=120 (or metafleet send gateway:<id> drain); else end that "
        + "program, or bluetoothctl disconnect \(address) where it is gone",
      .tryLater, ["board": .string(board.description)])
  }

  /// The connection could not be made.
  static func notConnected(_ board: BoardID, _ failure: LinkFailure) -> TryStep {
    if failure.reason == .busyElsewhere { return held(board) }
    let (advice, status) = TryRemedy.remedy(for: failure.reason)
    return .failed(
      .connect, "\(board.address.colonSeparated): \(failure.message); \(advice)", status,
      ["board": .string(board.description), "reason_code": .string(failure.reason.code.rawValue)])
  }

  /// The end. `lost` says why the connection had ended before; `isDown` whether BlueZ says that it is down.
  static func disconnected(_ board: BoardID, lost: LinkFailure?, isDown: Bool) -> TryStep {
    let address = board.address.colonSeparated
    if let lost {
      let (advice, status) = TryRemedy.remedy(for: lost.reason)
      return .failed(.disconnect, "the connection ended before: \(lost.message); \(advice)", status)
    }
    guard isDown else {
      return .failed(
        .disconnect,
        "\(address) was disconnected, but BlueZ does not say so: bluetoothctl disconnect \(address)")
    }
    return .done(.disconnect, "\(address) is disconnected (BlueZ says so)")
  }
}

extension AdapterStatus {
  /// Whether `text` is its name or its address; nil is any.
  func isNamed(_ text: String?) -> Bool {
    guard let text else { return true }
    return name == text || AdapterID(text) == id
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
