/// How long something has been so, in one unit.
enum Age {
  static func text(of span: Duration) -> String {
    let seconds = max(0, span.components.seconds)
    return switch seconds {
    case ..<100: "\(seconds)s"
    case ..<6_000: "\(seconds / 60)m"
    case ..<172_800: "\(seconds / 3_600)h"
    default: "\(seconds / 86_400)d"
    }
  }
}
