import BoardKit
import FleetModel
import Storage

/// What a session is to know and do from the start of its link.
extension SessionOrders {
  init(of supervisor: isolated BoardSupervisor) {
    let (setup, link) = (supervisor.setup, supervisor.link)
    let (desiredSetup, memory) = (setup.desiredSetup, supervisor.memory.driverMemory)
    let isFlapping = link.machine.isFlapping
    known = Known(
      driverMemory: memory.isEmpty ? nil : memory, boots: supervisor.boots,
      streams: setup.reportedSetup.sensors(of: desiredSetup.program.program), program: setup.program,
      settings: setup.knownSettings, lastBattery: supervisor.state.battery.time, ends: link.ends)
    wanted = Wanted(
      streams: desiredSetup.streams, button: setup.desired.profile.button, program: desiredSetup.program,
      pins: setup.overlay.pins.commands, settings: desiredSetup.settings)
    logs = LogOrders(of: supervisor)
    serial = setup.desired.serial
    self.link = LinkHints(
      requestsConservativeParameters: isFlapping && !link.hasRequestedConservativeParameters,
      usesConservativeParameters: isFlapping,
      wantsSurvey: setup.slots == SlotUsage() && !isFlapping)
  }
}

extension LogOrders {
  fileprivate init(of supervisor: isolated BoardSupervisor) {
    let (setup, log) = (supervisor.setup, supervisor.log)
    let visit = setup.desired.profile.visit
    self.init(
      wanted: setup.desiredSetup.logs, isCircular: setup.isLogCircular, made: log.made,
      clear: visit.clear, cleared: log.cleared, estimate: log.estimate,
      isWatched: log.estimate != nil || visit.isPlanned, foreign: log.foreign,
      stoppedForBroker: log.stoppedForBroker, takesForeign: visit.takesForeign,
      mayResume: supervisor.contacts.retry.allows(at: supervisor.now))
  }
}

extension SessionEnvironment {
  init(of supervisor: isolated BoardSupervisor) {
    let environment = supervisor.environment
    self.init(
      timekeeper: environment.timekeeper, counters: environment.counters, family: environment.family,
      limits: environment.configuration.lanes, schedules: environment.configuration.schedules,
      timeZone: environment.configuration.timeZone, store: environment.store,
      isHostTimeKnown: environment.isHostTimeKnown, seed: supervisor.nextRandom(),
      ticker: environment.ticker, deliver: environment.deliver,
      report: { [weak supervisor] report in
        if let supervisor { await report.arrive(at: supervisor) }
      })
  }
}
