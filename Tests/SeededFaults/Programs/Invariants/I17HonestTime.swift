import FleetModel

/// A stamp carries its quality, lies neither in the future nor before its link, and never runs backwards in a session.
struct I17HonestTime: Invariant {
  private var answered: [BoardID: Timestamp] = [:]
  private var firsts: [Substring: (sequence: Int, microseconds: Int64)] = [:]

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .answered(let board): if answered[board] == nil { answered[board] = moment.time }
    case .published(let publication) where publication.lane == "record":
      return check(publication, at: moment.time)
    default: break
    }
    return nil
  }

  private mutating func check(_ publication: Publication, at now: Timestamp) -> String? {
    let text = publication.text
    guard text.contains(#""clock":{"source":"arrival","err_ms":"#) else { return "no clock in \(text)" }
    let header = publication.header
    guard let session = header["session"], let sequence = header["seq"].flatMap({ Int($0) }),
      let start = text.firstRange(of: #""ts_us":"#)?.upperBound,
      let stamp = Int64(text[start...].prefix { $0.isNumber }), let board = publication.board
    else { return "no stamps in \(text)" }
    let time = Timestamp(milliseconds: stamp / 1000)
    guard time <= now + .milliseconds(1), let since = answered[board], time >= since - .seconds(1) else {
      return "a stamp of another time in \(text)"
    }
    if let before = firsts[session], before.sequence < sequence, before.microseconds > stamp {
      return "time runs backwards in \(text)"
    }
    if (firsts[session]?.sequence ?? -1) < sequence { firsts[session] = (sequence, stamp) }
    return nil
  }
}
