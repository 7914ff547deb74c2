package import FleetModel

/// Something that goes wrong with boards, or is done to them, because somebody asked for it.
package enum Fault: Hashable, Sendable {
  // What happens to boards, once.
  /// The radio loses the link.
  case drop
  /// The processor starts anew.
  case reset
  case battery(percent: Int)
  /// So many notifications at once.
  case flood(Int)
  /// So many packets at once that make no sense.
  case malformed(Int)
  /// Another host was there, and left its recording running.
  case foreignHost
  /// Somebody does something with it.
  case stimulus(Stimulus)

  // Faults that last until they are cleared (heal).
  case apply(LastingFault)
  /// Nil heals everything.
  case heal(LastingFault.Kind?)

  // Faults of bluetoothd.
  case adapter(AdapterFault, number: Int = 0)
  case service(ServiceFault)

  /// The air of all adapters becomes so; nil as it was at the start.
  case radio(RadioQuality?)

  /// What makes it good again; nil for what is over at once.
  package var remedy: Fault? {
    switch self {
    case .apply(let lasting): .heal(lasting.kind)
    case .stimulus(let stimulus): stimulus.remedy.map { .stimulus($0) }
    case .adapter(.off, number: let number), .adapter(.blocked, number: let number),
      .adapter(.removed, number: let number):
      .adapter(.back, number: number)
    case .service(.gone): .service(.back)
    case .radio(.some): .radio(nil)
    case .drop, .reset, .battery, .flood, .malformed, .foreignHost, .heal, .adapter, .service, .radio: nil
    }
  }

  /// What goes wrong with the board itself; nil where something around it does.
  var boardFault: BoardFault? {
    switch self {
    case .reset: .reset
    case .battery(let percent): .battery(percent: percent)
    case .foreignHost: .foreignHost
    case .apply(.defect(let defect)): .defect(defect)
    case .drop, .flood, .malformed, .stimulus, .apply, .heal, .adapter, .service, .radio: nil
    }
  }
}

/// A fault of a board that lasts until it is healed.
package enum LastingFault: Hashable, Sendable {
  /// `Connect` fails with an error of this name and text.
  case refused(name: String, text: String)
  /// Calls of this kind are never answered, and do nothing.
  case ignored(IgnoredCall)
  /// It takes what is written and sends nothing.
  case mute
  /// What it sends arrives so much later.
  case delayed(Duration)
  /// What it sends arrives at multiples of this only.
  case clumped(Duration)
  /// It is off the air.
  case vanished
  /// bluetoothd shows the attributes that it had before, until the device is removed.
  case stale
  /// Something is wrong inside it.
  case defect(BoardDefect)

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case refuse, ignore, mute, delay, vanish, unreadable, truncate
    case loseWrite = "lose-write"
    case loseEntries = "lose-entries"
    case doubleEntries = "double-entries"
    case damageTicks = "damage-ticks"
    case loseSamples = "lose-samples"
    case doubleSamples = "double-samples"
    case clump
    case impossibleValues = "impossible-values"
    case unknownNotifications = "unknown-notifications"
    case stale = "stale-attributes"
    case bootloader = "dfu"
  }

  package var kind: Kind {
    switch self {
    case .refused: .refuse
    case .ignored: .ignore
    case .mute: .mute
    case .delayed: .delay
    case .clumped: .clump
    case .vanished: .vanish
    case .stale: .stale
    case .defect(let defect): defect.kind
    }
  }
}

/// Calls of bluetoothd that may be left without an answer.
package enum IgnoredCall: String, Hashable, Sendable, CaseIterable { case connect, disconnect, write }

/// What happens to an adapter.
package enum AdapterFault: String, Hashable, Sendable, CaseIterable {
  /// Somebody switched it off; clients may switch it on.
  case off
  /// Off, and it cannot be switched on.
  case blocked
  case removed
  /// Away, and at once back under the next number.
  case renumbered
  case back
}

/// What happens to bluetoothd.
package enum ServiceFault: String, Hashable, Sendable, CaseIterable {
  /// It dies without a word.
  case gone
  case back
}

/// A fault that is to happen.
package struct FaultOrder: Hashable, Sendable {
  /// When, since the start of the simulation.
  package var at: Duration
  package var fault: Fault
  /// Whom it concerns; empty for faults of bluetoothd.
  package var boards: [BluetoothAddress]
  /// How long it lasts; nil until it is made good.
  package var lasts: Duration?

  package init(
    _ fault: Fault, on boards: [BluetoothAddress] = [], at: Duration = .zero, lasts: Duration? = nil
  ) {
    self.at = at
    self.fault = fault
    self.boards = boards
    self.lasts = lasts
  }
}
