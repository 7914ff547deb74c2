import BlueZ
import BoardKit
import Curl
import DBus
import Dialects
import EventLoops
import Fleet
import FleetModel
import Foundation
import Logging
import MetaMotion
import Mosquitto
import Storage

/// How it is put together: three loops, the outside world on them, the gateway in between, and what it shows over HTTP.
struct Wiring: Sendable {
  /// The root of the fleet.
  let gateway: Gateway
  /// Where signals are watched and sleepers woken: the loop that always runs, because nothing on it waits.
  var signalLoop: EventLoop { brokerLoop }
  private let radioLoop: EventLoop
  private let brokerLoop: EventLoop
  private let diskLoop: EventLoop
  private let store: Store
  private let web: WebFace
  private let credentials: CredentialFiles
  /// Where there is a directory for its socket.
  private let archive: ArchiveService?
  private let notifier = SystemdNotifier()
  private let limit: StopLimit

  /// Makes everything, opens the store, connects to nothing yet. `directory` is the state directory, `bus` where
  /// `org.bluez` is; `reload` reads the configuration again, from `file` where it is one, and `applied` is told of what
  /// counts from then on; `simulator` does what is asked of simulated boards, where there are such; `problems` is what
  /// `log` tells of warnings, `marker` tells the next run how this one ended.
  init(
    _ configuration: FleetConfiguration, file: String? = nil, directory: String, bus: DBusAddress,
    log: Logger,
    problems: RecentProblems, marker: RunMarker? = nil,
    applied: @escaping @Sendable (FleetConfiguration) -> Void = { _ in },
    reload: @escaping @Sendable () async throws(CommandFailure) -> CheckedConfiguration,
    simulator: WebFace.Simulator? = nil
  ) throws(CommandLineFailure) {
    radioLoop = try EventLoop.named("radio")
    brokerLoop = try EventLoop.named("broker")
    diskLoop = try EventLoop.named("disk")
    do throws(StoreFailure) {
      store = try Store(directory: directory, executor: diskLoop) { marker?.begin() }
    } catch {
      // What the directory itself refuses names it already.
      let text = "\(error)"
      throw CommandLineFailure(
        Self.status(of: error),
        text.contains(directory) ? text : "the state directory \(directory) cannot be used: \(text)")
    }
    limit = StopLimit({ span, body in
      // A thread of its own: any other one may hang. Without one there is no limit but the service manager's.
      (try? EventLoop.named("stop"))?.schedule(after: span, body)
    }) { expiry in
      Signals.end(after: Self.lastLines, with: expiry.status)
      log.error("\(expiry.sentence)")
      guard expiry.status != .ok else { return marker?.end() ?? () }
      marker?.fail(status: Int(expiry.status.rawValue), message: expiry.sentence, at: .system)
    }
    radioLoop.coalesce(BlueZRadio.longestPause, shortest: BlueZRadio.shortestPause)
    let timekeeper = SystemTimekeeper(wakingOn: brokerLoop)
    let family = MetaMotionFamily.descriptor
    let radio = BlueZRadio(
      BlueZSetup(
        services: family.advertisedServices, characteristics: family.requiredCharacteristics,
        adapters: configuration.bluetooth.adapters.map { Set($0) }),
      on: radioLoop, address: bus, timekeeper: timekeeper)
    let access = try BrokerAccess(configuration, on: brokerLoop)
    let credentials = CredentialFiles(of: access, timekeeper: timekeeper, log: log)
    self.credentials = credentials
    let face = try WebFace(
      configuration, file: file, directory: directory, following: [radioLoop, brokerLoop, diskLoop],
      newBroker: { access.anotherBroker(named: "page") }, timekeeper: timekeeper, log: log,
      simulator: simulator)
    web = face
    archive = ArchiveService(on: face.loop, configurationFile: file, directory: directory, log: log)
    var random = SystemRandomNumberGenerator()
    var environment = GatewayEnvironment(
      radio: radio, family: family, broker: access.broker, store: store, timekeeper: timekeeper,
      seed: random.next(),
      host: HostFacts(
        version: Version.text, name: ProcessInfo.processInfo.hostName,
        operatingSystem: HostMeasurements.operatingSystem,
        measure: HostMeasurements(directory: directory).measure, problems: { problems.all },
        bundle: DiagnosticBundle(stateDirectory: directory, configurationFile: file).write,
        certificates: CertificateFiles.expiries,
        lastCrash: marker?.crash),
      reload: reload,
      applied: {
        applied($0)
        await access.change(to: $0.mqtt)
        credentials.reloaded()
        return await face.change(to: $0.consumers.http)
      }, log: log,
      firmware: FirmwareIndexFetcher(transfers: Transfers(loop: brokerLoop), stateDirectory: directory))
    environment.published = face.published
    gateway = Gateway(configuration: configuration, environment: environment)
  }

  /// Seconds for the last lines of the log, where a stop was given up.
  private static let lastLines: UInt32 = 2

  /// The boards that commands have admitted, or that joined by themselves.
  var admitted: [BoardID] {
    get async { (try? await store.boards.admissions().map(\.board)) ?? [] }
  }

  /// Works until a signal asks for the end, or until the store can no longer be trusted. SIGHUP reads the
  /// configuration again.
  func run(until requests: AsyncStream<Int32>, log: Logger) async throws(CommandLineFailure) {
    notifier.ready()
    let failure = await withTaskGroup(of: StoreFailure?.self) { group in
      group.addTask {
        do throws(StoreFailure) { try await gateway.run() } catch { return error }
        return nil
      }
      group.addTask {
        for await request in requests {
          guard request == SIGHUP else { break }
          ReloadReport(await gateway.reload()).write(to: log)
        }
        notifier.stopping()
        await gateway.stop { limit.note($0) }
        return nil
      }
      group.addTask {
        await withDiscardingTaskGroup { faces in
          faces.addTask { await web.run(showing: gateway) }
          faces.addTask { await credentials.run(for: gateway) }
          if let archive { faces.addTask { await archive.run() } }
        }
        return nil
      }
      if let limit = notifier.watchdogLimit {
        group.addTask {
          await watchdog(within: limit).run()
          return nil
        }
      }
      let first = await group.next() ?? nil
      limit.note(.tasks)
      group.cancelAll()
      return first
    }
    for loop in [web.loop, web.archive.loop, radioLoop, brokerLoop, diskLoop] { loop.stop() }
    limit.end()
    if let failure {
      throw CommandLineFailure(
        .internal,
        "the database failed: \(failure); logged entries that were not confirmed are still on the boards")
    }
  }

  /// Four times as often as systemd asks for: a busy computer is no fault.
  private func watchdog(within limit: Duration) -> Watchdog {
    Watchdog(
      around: { part in
        switch part {
        case .ingest:
          await radioLoop.reach()
          await FleetObservation.reach(gateway)
        case .uplink:
          await brokerLoop.reach()
          await FleetObservation.reachUplink(of: gateway)
        case .storage: await store.reach()
        }
      },
      pause: { try await brokerLoop.sleep(for: limit / 4) }, feed: notifier.goesOn)
  }

  private static func status(of failure: StoreFailure) -> ExitStatus {
    switch failure {
    case .taken, .readOnly, .newer: .taken
    case .low, .full, .io, .corrupt, .misuse: .internal
    }
  }
}
