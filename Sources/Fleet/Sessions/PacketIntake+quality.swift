import BoardKit
import FleetModel

/// What cannot be is left out, counted, and reported once an episode.
extension PacketIntake {
  /// Whether a stream brings impossible values at this time.
  func isSuspect(_ stream: String) -> Bool { spells[stream] != nil }

  /// Samples of a stream were left out, or good ones came where some were left out before. Apart, because hardly any
  /// packet comes here.
  @inline(never)
  func noteQuality(of stream: SessionStream, at uptime: Duration) {
    if let leftOut = stream.quality.takeLeftOut() {
      counters.add(leftOut.count, to: .samplesImpossible)
      note(.lost(stream: stream.name, count: leftOut.count))
      begin(stream.name, leftOut.first, at: uptime)
      spells[stream.name]?.take(leftOut, at: uptime)
      stream.quality.isSuspect = true
      if spells[stream.name]?.isHoleDue(at: uptime) == true { declareHole(of: stream) }
    } else if spells[stream.name]?.isOver(at: uptime) ?? true {
      declareHole(of: stream)
      end(stream.name)
      stream.quality.isSuspect = false
    }
  }

  /// What an answer to `read` holds, which belongs to no lane.
  func noteAnswer(of stream: String, _ impossible: ImpossibleValue?) {
    let uptime = timekeeper.uptime
    if let impossible {
      counters.add(to: .samplesImpossible)
      begin(stream, impossible, at: uptime)
      spells[stream]?.took(1, at: uptime)
    } else if !streams.all.contains(where: { $0.name == stream }), spells[stream]?.isOver(at: uptime) == true
    {
      end(stream)
    }
  }

  /// Loss is never silent (invariant I12): behind the last sample of a session no batch comes that could tell it.
  func declareHole(of stream: SessionStream) {
    guard let hole = spells[stream.name]?.takeHole() else { return }
    note(.leftOut(stream: stream.name, session: stream.session, hole))
  }

  private func begin(_ stream: String, _ value: ImpossibleValue, at uptime: Duration) {
    guard spells[stream] == nil else { return }
    spells[stream] = ImpossibleEpisode(at: uptime)
    note(.impossible(stream: stream, value))
  }

  private func end(_ stream: String) {
    guard let spell = spells.removeValue(forKey: stream) else { return }
    note(.possible(stream: stream, leftOut: spell.count))
  }
}
