import FleetModel

/// Configuration, state directory, database, disk, clock and radio switches, judged.
enum ComputerChecks {
  static func judge(_ facts: ComputerFacts) -> [Diagnosis] {
    [configuration(facts), state(facts), database(facts), disk(facts), clock(facts), rfkill(facts)]
  }

  private static func configuration(_ facts: ComputerFacts) -> Diagnosis {
    switch facts.configuration {
    case .missing(let places):
      return .warning(
        .configuration, "there is no configuration file at \(places.joined(separator: " or "))",
        fix: "metafleet setup makes one")
    case .unreadable(let why):
      return facts.isRoot
        ? .broken(.configuration, why, fix: "Change its owner or mode")
        : .unchecked(.configuration, why, fix: "sudo metafleet doctor")
    case .read(let name, let errors, let warnings):
      guard let first = errors.first else {
        return .ok(
          .configuration,
          "\(name) has no errors\(warnings == 0 ? "" : ", \(CountText.of(warnings, "warning")) (metafleet config check)")"
        )
      }
      let more = errors.count > 1 ? ", and \(errors.count - 1) more" : ""
      return .broken(
        .configuration, "\(name): \(first)\(more)", fix: "Correct the file; metafleet config check lists all")
    }
  }

  private static func state(_ facts: ComputerFacts) -> Diagnosis {
    let directory = facts.directory
    switch facts.state {
    case .missing: return .ok(.state, "\(directory) is made when the gateway starts")
    case .noDirectory:
      return .broken(.state, "\(directory) is no directory", fix: "Move it away, or set storage.directory")
    case .unreadable(let why):
      return facts.isRoot
        ? .broken(.state, why, fix: "Change its owner or mode")
        : .unchecked(.state, why, fix: "sudo metafleet doctor")
    case .there(let mode, let isWritable):
      if mode & 0o007 != 0 {
        return .warning(
          .state, "\(directory) can be read by everybody on this computer, and holds what boards logged",
          fix: "sudo chmod o-rwx \(directory)")
      }
      guard isWritable else {
        return facts.isRoot
          ? .broken(.state, "\(directory) cannot be written", fix: "Mount its file system writable")
          : .unchecked(.state, "\(directory) is not this user's", fix: "sudo metafleet doctor")
      }
      return .ok(.state, "\(directory) can be written, and is private")
    }
  }

  private static func database(_ facts: ComputerFacts) -> Diagnosis {
    switch facts.database {
    case .missing: return .ok(.database, "there is none yet; the gateway makes it when it starts")
    case .unreadable(let why):
      return facts.isRoot
        ? .broken(.database, why, fix: "Check the disk, and the owner of the file")
        : .unchecked(.database, why, fix: "sudo metafleet doctor")
    case .newer(let why):
      return .broken(
        .database, why, fix: "Install the newer version, or put the backup of before the upgrade back")
    case .damaged(let why):
      return .broken(
        .database, why,
        fix: "Restart the gateway, which puts it aside and begins a new one; or put a backup back")
    case .sound:
      guard let aside = facts.damagedDatabases.first else { return .ok(.database, "it can be read") }
      return .warning(
        .database, "a damaged one was put aside: \(aside)",
        fix: "Put a backup back, or admit again what was admitted at run time; then move that file away")
    }
  }

  private static func disk(_ facts: ComputerFacts) -> Diagnosis {
    guard let free = facts.freeBytes, let whole = facts.wholeBytes else {
      return .unchecked(.disk, "the file system of \(facts.directory) cannot be measured")
    }
    let least = min(facts.minimumFree, whole / 4)
    let text = "\(SizeText.format(rounded(free))) are free of \(SizeText.format(rounded(whole)))"
    if free < least {
      return .broken(
        .disk, "\(text), less than storage.min_free: samples are not stored, and logs stay on the boards",
        fix: "Free some space, or lower storage.min_free")
    }
    if free < 2 * least {
      return .warning(.disk, "\(text), which is near storage.min_free", fix: "Free some space")
    }
    return .ok(.disk, text)
  }

  /// With up to four digits, as people read it.
  private static func rounded(_ bytes: Int64) -> Int64 {
    var unit: Int64 = 1
    while bytes / unit >= 10_000 { unit *= 1_000 }
    return bytes / unit * unit
  }

  private static func clock(_ facts: ComputerFacts) -> Diagnosis {
    if !facts.now.isPlausible {
      return .broken(
        .clock, "the clock was never set",
        fix: "sudo timedatectl set-ntp true, or set it by hand: sudo date -s")
    }
    return facts.isClockSynchronised
      ? .ok(.clock, "it is synchronised")
      : .warning(
        .clock,
        "nothing keeps it right, and stamps of samples are no better than it; in a container the host's may be right all the same",
        fix: "sudo timedatectl set-ntp true")
  }

  private static func rfkill(_ facts: ComputerFacts) -> Diagnosis {
    guard let switches = facts.switches else {
      return .ok(.rfkill, "this kernel has no radio switches that can be seen from here")
    }
    if let radio = switches.first(where: \.isBlockedByHardware) {
      return .broken(
        .rfkill, "\(radio.name) is switched off by a switch or by the firmware of this computer",
        fix: "Switch Bluetooth on there; no program can")
    }
    if let radio = switches.first(where: \.isBlockedBySoftware) {
      return .broken(.rfkill, "\(radio.name) is blocked", fix: "sudo rfkill unblock bluetooth")
    }
    return .ok(.rfkill, "no Bluetooth adapter is blocked")
  }
}
