/// The push button (protocol reference, section 5).
enum Switch {
  static let state = Register(.switch, 0x01)
}
