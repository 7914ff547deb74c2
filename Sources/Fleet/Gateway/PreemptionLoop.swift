import Logging

/// The loop that has boards give way to those that have waited for too long.
enum PreemptionLoop {
  static func run(for gateway: isolated Gateway) async {
    let scheduler = gateway.scheduler
    await withDiscardingTaskGroup { group in
      for await grant in scheduler.preempted {
        let supervisor = gateway.supervisors[grant.board]
        let name = await supervisor?.name ?? "\(grant.board)"
        gateway.environment.log.debug(
          "a connection is ended for a board that waits",
          metadata: ["board": "\(grant.board)", "name": "\(name)", "adapter": "\(grant.adapter)"])
        // A download comes to its safe point in its own time, and holds up no other adapter.
        group.addTask {
          if let supervisor, await GivingWay.run(supervisor) { return }
          await scheduler.keep(grant)
        }
      }
    }
  }
}
