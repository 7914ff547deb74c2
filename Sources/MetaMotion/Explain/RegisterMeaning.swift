/// What the packets of one register mean: a row of the protocol reference's tables.
struct RegisterMeaning: Sendable {
  /// Reads a payload.
  typealias Layout = @Sendable (inout PayloadReader) -> Void

  let number: UInt8
  let name: String
  /// What the host writes; nil when it does not.
  var write: Layout?
  /// What the host gives when it asks; nil when it cannot ask.
  var question: Layout?
  /// What the board answers.
  var answer: Layout?
  /// What the board tells unasked.
  var notification: Layout?

  /// Nothing follows the header.
  static let nothing: Layout = { _ in }
  /// Whether the board shall tell changes from now on (section 2.3).
  static let subscription: Layout = { $0.flag("tell changes") }

  /// A register the host writes, and asks for without saying more; it answers as it is written.
  static func setting(_ number: UInt8, _ name: String, _ layout: @escaping Layout) -> RegisterMeaning {
    RegisterMeaning(number: number, name: name, write: layout, question: nothing, answer: layout)
  }

  /// A register that is only asked for.
  static func value(
    _ number: UInt8, _ name: String, question: @escaping Layout = nothing, _ answer: @escaping Layout
  ) -> RegisterMeaning {
    RegisterMeaning(number: number, name: name, question: question, answer: answer)
  }

  /// A register that acts when it is written.
  static func action(_ number: UInt8, _ name: String, _ layout: @escaping Layout = nothing) -> RegisterMeaning
  {
    RegisterMeaning(number: number, name: name, write: layout)
  }

  /// A register whose changes are told to whoever subscribed.
  static func signal(_ number: UInt8, _ name: String, _ layout: @escaping Layout) -> RegisterMeaning {
    RegisterMeaning(
      number: number, name: name, write: subscription, question: nothing, answer: layout, notification: layout
    )
  }

  /// A register of masks: two are written, one is answered.
  static func mask(_ number: UInt8, _ name: String, _ words: [String] = []) -> RegisterMeaning {
    RegisterMeaning(
      number: number, name: name, write: { $0.mask(words) }, question: nothing,
      answer: { $0.bits("switched on", words) })
  }
}
