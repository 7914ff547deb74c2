import CFuzzer

// `Tests/Fuzz/run` builds this with libFuzzer, which finds the inputs by looking at what they reach.
#if FUZZING
  /// What libFuzzer calls with every input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    Surface.chosen.exercise(FuzzInput(Array(UnsafeBufferPointer(start: data, count: size))))
    return 0
  }
#endif

@main enum Program {
  static func main() {
    #if FUZZING
      var count = CommandLine.argc
      var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
      _ = LLVMFuzzerRunDriver(&count, &arguments, testOneInput)
    #else
      print("this was built without libFuzzer; use Tests/Fuzz/run")
    #endif
  }
}
