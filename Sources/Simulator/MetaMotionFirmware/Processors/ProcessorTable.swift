/// Every kind of processor that a host can create, by its type byte (protocol reference 14.3). Counter and
/// accumulator share one, and so do the two combiners.
enum ProcessorTable {
  static let types: [UInt8: any DataProcessor.Type] = [
    0x01: PassthroughProcessor.self,
    0x02: AccumulatorProcessor.self,
    0x03: AverageProcessor.self,
    0x06: ComparatorProcessor.self,
    0x07: CombinerProcessor.self,
    0x08: TimeProcessor.self,
    0x09: MathProcessor.self,
    0x0A: DelayProcessor.self,
    0x0B: PulseProcessor.self,
    0x0C: DeltaProcessor.self,
    0x0D: ThresholdProcessor.self,
    0x0F: BufferProcessor.self,
    0x10: PackerProcessor.self,
    0x11: AccounterProcessor.self,
    0x1B: FuserProcessor.self,
  ]
}
