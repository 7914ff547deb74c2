extension MetaMotionBoard {
  package mutating func feel(_ stimulus: Stimulus, at now: Duration) -> [BoardEffect] {
    perform { firmware in
      switch stimulus {
      case .press: firmware.setSwitch(pressed: true, at: now)
      case .release: firmware.setSwitch(pressed: false, at: now)
      case .motion(let event): firmware.happen(event, at: now)
      case .pin(let number, let input): firmware.setVoltage(input.voltage, pin: number, at: now)
      case .charger(let isPluggedIn): firmware.setExternalPower(isPluggedIn, at: now)
      case .surroundings(let quantity, let value): firmware.set(quantity, to: value, at: now)
      }
    }
  }
}
