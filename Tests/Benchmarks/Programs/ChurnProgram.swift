import Fleet
import FleetModel
import Glibc
import Logging
import MetaMotion
import Simulator
import Storage
import Support
import VirtualTime

/// A fleet through a stretch of virtual time, with links that break all the time: resident memory once all boards are
/// connected, and at the end. The simulated boards live in the same process and are counted, too.
struct ChurnProgram {
  let boards: Int
  let minutes: Int
  let directory: String

  private static let seed: UInt64 = 1
  /// Mean life of a link.
  private static let linkLife = Duration.seconds(600)
  private static let rate = 12.5

  func run() throws {
    let world = SeededWorld(seed: Self.seed)
    let simulated = (1...boards).map { number in
      MetaMotionBoard(
        Firmware(
          model: number.isMultiple(of: 2) ? .rl : .s, identity: BoardIdentity(number: UInt16(number)),
          seed: UInt64(number)))
    }
    var air = Air(seed: Self.seed)
    air.conditions.linkLife = Self.linkLife
    let radio = SimulatedRadio(boards: simulated, air: air, timekeeper: world, executor: world)
    let broker = ForgetfulBroker(on: world)
    let gateway = Gateway(
      configuration: try configuration(for: simulated.map { BoardID($0.address) }),
      environment: GatewayEnvironment(
        radio: radio, family: MetaMotionFamily.descriptor, broker: broker,
        store: try Store(directory: directory, executor: world), timekeeper: world, seed: Self.seed,
        host: HostFacts(version: "benchmark", name: "benchmark", operatingSystem: "Linux", measure: { [:] }),
        reload: { () async throws(CommandFailure) in throw .invalid("no file") },
        log: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }))
    let minutes = minutes
    let figures = world.run(atMost: .seconds(720 + 60 * minutes)) { () -> (first: Int, last: Int) in
      await withTaskGroup(of: (first: Int, last: Int)?.self) { group in
        group.addTask {
          try? await gateway.run()
          return nil
        }
        group.addTask {
          // All are connected within a minute; another ten for whatever is made once.
          try? await world.sleep(for: .seconds(660))
          let first = Bill.resident
          for minute in 0..<minutes {
            try? await world.sleep(for: .seconds(60))
            if minute % 10 == 9 { print("minute \(minute + 1): \(Bill.resident >> 20) MB") }
          }
          return (first, Bill.resident)
        }
        var result: (first: Int, last: Int)?
        for await finished in group where finished != nil {
          result = finished
          group.cancelAll()
        }
        return result ?? (0, 0)
      }
    }
    Bill.report([
      "boards": Double(boards), "virtual_minutes": Double(minutes),
      "resident_connected": Double(figures?.first ?? 0), "resident_after": Double(figures?.last ?? 0),
      "samples": Double(gateway.counters.value(of: .samplesIn)),
      "published": Double(gateway.counters.value(of: .samplesPublished)),
      "sessions": Double(gateway.counters.value(of: .sessionsOK)),
    ])
  }

  private func configuration(for boards: [BoardID]) throws -> FleetConfiguration {
    var configuration = FleetConfiguration()
    configuration.gateway = GatewayIdentity(id: "bench", site: nil)
    configuration.bluetooth.maximumLinksPerAdapter = 1024
    configuration.storage.replay = .seconds(600)
    var profile = Profile()
    profile.streams = ["acceleration": try Demand.acceleration(at: Self.rate)]
    configuration.profiles["bench"] = profile
    configuration.boards = boards.map { board in
      var entry = BoardConfiguration(board: board)
      entry.profile = "bench"
      return entry
    }
    return configuration
  }
}
