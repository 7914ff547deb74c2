/// The parts of a screen with one long list, put together for its size. Pure. What matters least goes first: the line
/// of keys, what stands above the list, its title; a row of the list is always there.
struct ScreenPage {
  var size: TerminalSize
  var isColoured: Bool
  /// Lines above the list, the most important first. They fit, as those of the list do: what is coloured cannot be cut
  /// any more.
  var above: [String] = []
  /// The list, its title first.
  var list: [String]
  /// What stands instead of a list without rows.
  var emptiness = ""
  /// What can be done here; where one is in the list comes before it.
  var keys = ""

  /// Lines that fill the screen, none wider and not more than there are rows.
  func lines(_ position: inout ListPosition) -> [String] {
    let width = max(1, size.columns)
    let isTall = size.rows >= above.count + 4
    let shownAbove = isTall ? above : Array(above.prefix(max(0, size.rows - 3)))
    let count = max(0, list.count - 1)
    position.fit(count, in: max(1, size.rows - shownAbove.count - (isTall ? 2 : 1)))
    let title = size.rows > 1 ? list.prefix(1) : []
    var rows = Array(list.dropFirst(1 + position.offset).prefix(position.rows))
    if rows.isEmpty, !emptiness.isEmpty { rows = [TextWidth.cut(emptiness, to: width)] }
    let filling = Array(repeating: "", count: max(0, position.rows - rows.count))
    let help = TextWidth.cut(position.text(of: count) + keys, to: width)
    let below = isTall ? [isColoured ? Style.dim.apply(to: help) : help] : []
    return Array((shownAbove + title + rows + filling + below).prefix(max(1, size.rows)))
  }
}
