import DBus
import FleetModel

/// Bus, bluetoothd, adapters and the recovery helper, judged.
enum BluetoothChecks {
  static func judge(_ facts: BluetoothFacts) -> [Diagnosis] {
    guard let failure = facts.busFailure else {
      return [.ok(.bus, "connected to \(facts.bus)"), bluetoothd(facts), adapters(facts), helper(facts)]
    }
    return [busBroken(failure, facts)]
      + [.bluetoothd, .adapters, .helper].map { .unchecked($0, "it is asked over the bus") }
  }

  private static func busBroken(_ failure: DBusFailure, _ facts: BluetoothFacts) -> Diagnosis {
    guard let denial = BusDenial(failure) else {
      return .broken(
        .bus, "\(facts.bus) cannot be used: \(failure)",
        fix: "Is it running, and is DBUS_SYSTEM_BUS_ADDRESS right?")
    }
    return .broken(
      .bus, "\(denial.text) (\(facts.bus): \(failure))", fix: denial.fix(inContainer: facts.isContainer))
  }

  private static func bluetoothd(_ facts: BluetoothFacts) -> Diagnosis {
    if let failure = facts.failure, let denial = BusDenial(failure) {
      return .broken(
        .bluetoothd, "\(denial.text) (\(failure))", fix: denial.fix(inContainer: facts.isContainer))
    }
    guard facts.isRunning else {
      let place = facts.isContainer ? " on the host" : ""
      return facts.isInstalled
        ? .broken(
          .bluetoothd, "bluetoothd is not running", fix: "sudo systemctl enable --now bluetooth\(place)")
        : .broken(
          .bluetoothd, "bluetoothd is not there", fix: "sudo apt-get install bluez\(place)")
    }
    if let failure = facts.failure {
      return .broken(
        .bluetoothd, "bluetoothd does not answer: \(failure)", fix: "sudo systemctl restart bluetooth")
    }
    return .ok(.bluetoothd, "it is running, and answers this user")
  }

  private static func adapters(_ facts: BluetoothFacts) -> Diagnosis {
    guard facts.isRunning, facts.failure == nil else {
      return .unchecked(.adapters, "bluetoothd tells which there are")
    }
    guard !facts.adapters.isEmpty else {
      return .broken(
        .adapters, "there is no Bluetooth adapter",
        fix: "Plug one in; hciconfig -a and sudo dmesg | grep -i bluetooth show what Linux makes of it")
    }
    let usable = facts.adapters.filter { AdapterID($0.address).map { $0 != .withoutAddress } ?? false }
    let all = usable.map { "\($0.name) \($0.address)" }.joined(separator: ", ")
    let missing = (facts.wanted ?? []).filter { address in
      !usable.contains { AdapterID($0.address) == AdapterID(address) }
    }
    guard missing.isEmpty else {
      return .broken(
        .adapters,
        "bluetooth.adapters names \(missing.joined(separator: ", ")), which is not there; there is \(all.isEmpty ? "none with an address" : all)",
        fix: "Plug it in, or name another one in bluetooth.adapters")
    }
    guard !usable.isEmpty else {
      return .broken(
        .adapters, "\(facts.adapters.map(\.name).joined(separator: ", ")) has no address of its own",
        fix: "Use another dongle, or load its firmware")
    }
    let off = usable.filter { !$0.isPowered }.map(\.name)
    guard off.isEmpty else {
      return .warning(
        .adapters, "\(all); \(off.joined(separator: ", ")) is switched off",
        fix: "The gateway switches it on when it starts; by hand: bluetoothctl power on")
    }
    return .ok(.adapters, all)
  }

  private static func helper(_ facts: BluetoothFacts) -> Diagnosis {
    facts.hasHelper
      ? .ok(.helper, "the recovery helper is running")
      : .warning(
        .helper,
        "the recovery helper is not running: a bluetoothd or an adapter that hangs waits for a person",
        fix: "sudo systemctl enable --now metafleet-recovery")
  }
}
