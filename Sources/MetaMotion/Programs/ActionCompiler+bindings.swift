import FleetModel

/// Actions that make more reactions.
extension ActionCompiler {
  /// What has the board react to `event` from then on. Throws `invalid` where that needs more than the slots that are
  /// filled now.
  func bindings(of event: BoardProgram.Event, _ name: String) throws(CommandFailure) -> [[UInt8]] {
    // Without what else reacts: that may be what is being compiled.
    var known = BoardProgram(
      chains: program.chains,
      timers: program.timers.mapValues { timer in
        var timer = timer
        timer.actions = []
        return timer
      })
    known.events[name] = event
    let compiler = try ProgramCompiler(known, on: board, macros: macros, streams: streams)
    var packets: [[UInt8]] = []
    for key in compiler.keys {
      guard case .event(name, _) = key else { continue }
      guard let resource = compiler.resource(key, in: slots) else {
        throw .invalid(
          "\(name) needs a processor or timer whose slot is not known; make it by itself first, or record it in a "
            + "macro with at_boot")
      }
      packets += resource.commands
    }
    return packets
  }
}
