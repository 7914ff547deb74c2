import FleetModel

/// A stamp carries its quality, lies neither before its link nor further in the future than it says, and never runs
/// backwards in a session. (Stamps only go forward, so that they are ahead for a while where our clock was set back.)
struct I17HonestTime: Invariant {
  /// What is stated of any arrival, in milliseconds; a stamp that is known to be off says so on top.
  private static let errorOfArrivals: Int64 = 100

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
    guard let quality = text.firstRange(of: #""clock":{"source":"arrival","err_ms":"#)?.upperBound,
      let error = Int64(text[quality...].prefix { $0.isNumber })
    else { return "no clock in \(text)" }
    let header = publication.header
    guard let session = header["session"], let sequence = header["seq"].flatMap({ Int($0) }),
      let start = text.firstRange(of: #""ts_us":"#)?.upperBound,
      let stamp = Int64(text[start...].prefix { $0.isNumber }), let board = publication.board
    else { return "no stamps in \(text)" }
    let time = Timestamp(milliseconds: stamp / 1000)
    let ahead = Duration.milliseconds(error - Self.errorOfArrivals)
    guard time <= now + ahead + .milliseconds(1), let since = answered[board], time >= since - .seconds(1)
    else {
      return "a stamp of another time in \(text)"
    }
    if let before = firsts[session], before.sequence < sequence, before.microseconds > stamp {
      return "time runs backwards in \(text)"
    }
    if (firsts[session]?.sequence ?? -1) < sequence { firsts[session] = (sequence, stamp) }
    return nil
  }
}
