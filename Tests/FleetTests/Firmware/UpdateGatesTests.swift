import FleetModel
import Testing

@testable import Fleet

@Suite struct UpdateGatesTests {
  /// A board that may be updated.
  private static let open = UpdateGates(
    installed: "1.7.2", wanted: "1.7.3", isForced: false, battery: 80, isCharging: nil,
    allowsBootloader: false, entries: 0, discard: nil, signal: -60)

  private static func refusal(_ edit: (inout UpdateGates) -> Void) -> CommandFailure.Code? {
    var gates = open
    edit(&gates)
    return gates.refusal?.code
  }

  @Test func `a board with a full battery, an empty log and a good signal gets newer firmware`() {
    #expect(Self.open.refusal == nil)
    #expect(Self.refusal { ($0.battery, $0.signal) = (50, -80) } == nil)
    #expect(Self.refusal { ($0.installed, $0.signal) = (nil, nil) } == nil)
  }

  @Test func `F51 nothing is installed below 50 %, or with a battery that cannot be read`() {
    #expect(Self.refusal { $0.battery = 49 } == .lowBattery)
    #expect(Self.refusal { $0.battery = nil } == .lowBattery)
    #expect(Self.refusal { ($0.battery, $0.isForced) = (49, true) } == .lowBattery)
    #expect(Self.refusal { ($0.battery, $0.isCharging) = (3, true) } == nil)
    #expect(Self.refusal { ($0.battery, $0.isCharging) = (nil, true) } == nil)
  }

  @Test func `F51 a bootloader is replaced from 80 % on`() {
    #expect(Self.refusal { ($0.battery, $0.allowsBootloader) = (79, true) } == .lowBattery)
    #expect(Self.refusal { ($0.battery, $0.allowsBootloader) = (80, true) } == nil)
  }

  @Test func `F270 what was logged is downloaded, or given up by its exact number`() {
    #expect(Self.refusal { $0.entries = 812 } == .undownloadedData)
    #expect(Self.refusal { ($0.entries, $0.discard) = (812, 811) } == .undownloadedData)
    #expect(Self.refusal { ($0.entries, $0.discard) = (812, 812) } == nil)
    #expect(Self.refusal { ($0.entries, $0.discard) = (0, 812) } == nil)
  }

  @Test func `a board that is hardly received is left alone`() {
    #expect(Self.refusal { $0.signal = -81 } == .busy)
  }

  @Test func `F54 the same version, an older one and what is no version are installed by force only`() {
    for wanted in ["1.7.2", "1.7.1", "1.7", "beta"] {
      #expect(Self.refusal { $0.wanted = wanted } == .invalid, "\(wanted)")
      #expect(Self.refusal { ($0.wanted, $0.isForced) = (wanted, true) } == nil, "\(wanted)")
    }
    #expect(Self.refusal { $0.installed = "custom" } == nil)
    #expect(Self.refusal { ($0.installed, $0.wanted) = ("1.7.9", "1.7.10") } == nil)
    #expect(Self.refusal { ($0.installed, $0.wanted) = ("1.7.0", "1.7") } == .invalid)
  }
}
