import Storage

extension TaskGroup where ChildTaskResult == StoreFailure? {
  /// Waits for tasks that all go on until cancelled. The first failure ends the others; nil: they ended by themselves.
  func firstFailure() async -> StoreFailure? {
    for await failure in self where failure != nil {
      cancelAll()
      return failure
    }
    return nil
  }
}
