import BoardKit
import FleetModel
import Logging

/// The loop that climbs the ladder of recovery where Bluetooth does not work although it should.
enum RecoveryLoop {
  private static let interval = Duration.seconds(10)

  static func run(for gateway: isolated Gateway) async {
    while !Task.isCancelled {
      do { try await gateway.environment.timekeeper.sleep(for: interval) } catch { return }
      let symptoms = gateway.radio.symptoms
      guard symptoms.serviceLost != nil || !symptoms.ailing.isEmpty else { continue }
      var delivering: Set<AdapterID> = []
      for adapter in gateway.radio.adapters.keys.sorted()
      where await BusyAdapter.board(on: adapter, of: gateway) != nil { delivering.insert(adapter) }
      if let rung = gateway.radio.recovery.next(symptoms, delivering: delivering, at: gateway.uptime) {
        await climb(rung, because: cause(of: rung, symptoms), gateway)
      }
    }
  }

  private static func cause(of rung: RecoveryLadder.Rung, _ symptoms: RecoverySymptoms) -> String {
    guard symptoms.serviceLost == nil else { return "bluetoothd" }
    let ailing = symptoms.ailing
    let adapter = rung.adapter
    return (ailing.first { $0.adapter == adapter } ?? ailing.first)?.cause.rawValue ?? "bluetoothd"
  }

  private static func climb(
    _ rung: RecoveryLadder.Rung, because cause: String, _ gateway: isolated Gateway
  ) async {
    var fields: JSONObject = ["reason": .string(cause)]
    fields["adapter"] = rung.adapter.map { .string($0.description) }
    let failure = await carryOut(rung, gateway)
    var details = Logger.Metadata(dictionaryLiteral: ("reason", "\(cause)"))
    details["adapter"] = rung.adapter.map { "\($0)" }
    guard let failure else {
      gateway.environment.log.warning("\(rung.sentence)", metadata: details)
      await gateway.publish(.adapterReset, rung.type, fields: fields)
      return gateway.services.reportWaker.wake()
    }
    details["failure"] = "\(failure)"
    gateway.environment.log.warning("cannot recover Bluetooth: \(rung.sentence)", metadata: details)
    fields["step"] = .string(rung.type)
    await gateway.publish(.adapterReset, "skipped", fields: fields, message: failure.message)
  }

  /// Returns why it could not be done.
  private static func carryOut(_ rung: RecoveryLadder.Rung, _ gateway: isolated Gateway) async -> LinkFailure?
  {
    let radio = gateway.environment.radio
    do throws(LinkFailure) {
      switch rung {
      case .power(let adapter):
        try await radio.reset(adapter)
        gateway.counters.add(to: .adapterResets)
        gateway.radio.reset(adapter)
      case .bluetoothd:
        try await radio.recover(.restartBluetoothd)
        gateway.counters.add(to: .bluetoothdRestarts)
      case .usb(let adapter):
        try await radio.recover(.resetUSB(adapter))
        gateway.counters.add(to: .usbResets)
      case .exhausted(let adapter?):
        await gateway.scheduler.cannotUse(
          adapter,
          StatedReason(
            .recoveryExhausted,
            "nothing helped the adapter, which is off or receives nothing: unplug it, or use another one; "
              + "where such silence is normal, bluetooth.quiet_ok: true"))
      case .exhausted(nil): break
      }
      return nil
    } catch {
      return error
    }
  }
}

extension RecoveryLadder.Rung {
  /// The adapter that it is about; nil for bluetoothd.
  var adapter: AdapterID? {
    switch self {
    case .power(let adapter), .usb(let adapter): adapter
    case .exhausted(let adapter): adapter
    case .bluetoothd: nil
    }
  }

  /// The event's type (MQTT contract 5).
  var type: String {
    switch self {
    case .power: "power"
    case .bluetoothd: "bluetoothd"
    case .usb: "usb"
    case .exhausted: "exhausted"
    }
  }

  var sentence: String {
    switch self {
    case .power: "switching an adapter off and on"
    case .bluetoothd: "restarting bluetoothd"
    case .usb: "resetting an adapter's USB device"
    case .exhausted: "Bluetooth does not work, and nothing that a gateway can do helped"
    }
  }
}
