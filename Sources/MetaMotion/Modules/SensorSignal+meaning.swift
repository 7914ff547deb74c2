extension SensorSignal {
  /// What its registers mean, for explanations.
  var meanings: [RegisterMeaning] {
    let own =
      isNotified
      ? RegisterMeaning.signal(register.number, title, sample)
      : RegisterMeaning.value(
        register.number, title, question: index?.question ?? RegisterMeaning.nothing, sample)
    guard let packed else { return [own] }
    let three: RegisterMeaning.Layout = { reader in
      for number in 1...3 { reader.values(values, prefix: "\(number) ") }
      qualify(&reader)
    }
    return [own, .signal(packed.number, "\(title), three samples", three)]
  }

  /// One sample in words, behind the index where there is one.
  var sample: RegisterMeaning.Layout {
    { reader in
      index?.layout(&reader)
      reader.values(values)
      if let further { reader.values(further) }
      qualify(&reader)
    }
  }

  private func qualify(_ reader: inout PayloadReader) {
    guard case .ranged(let range) = values.scale, reader.context.scales[range] == nil else { return }
    reader.note(range.unknown)
  }
}

extension PayloadReader {
  /// Numbers of a signal, in its unit where what they count is known.
  fileprivate mutating func values(_ values: SensorSignal.Values, prefix: String = "") {
    let counts: Double? =
      switch values.scale {
      case .fixed(let counts): counts
      case .ranged(let range): context.scales[range].map(range.countsPerUnit)
      }
    let unit = counts == nil ? "counts" : values.unitWords ?? values.unit.words
    for label in values.labels {
      let name = prefix + label
      switch values.number {
      case .flag: flag(name)
      case .uint8 where !values.words.isEmpty: choice(name, values.words)
      case .uint8: whole(name, UInt8.self, counts, unit)
      case .int16: whole(name, Int16.self, counts, unit)
      case .uint16: whole(name, UInt16.self, counts, unit)
      case .int32: whole(name, Int32.self, counts, unit)
      case .uint32: whole(name, UInt32.self, counts, unit)
      case .float32: float(name, per: counts ?? 1, unit)
      }
    }
  }

  private mutating func whole<Number: FixedWidthInteger>(
    _ name: String, _ type: Number.Type, _ counts: Double?, _ unit: String
  ) {
    if let counts, counts != 1 {
      scaled(name, type, per: counts, unit)
    } else {
      number(name, type, unit)
    }
  }
}
