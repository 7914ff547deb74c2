internal import CCurl
package import EventLoops

/// Fetches files over https on a loop, any number at a time. Nothing here waits for a server: only the look-up of a
/// name is on a thread of libcurl's.
package actor Transfers {
  private let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private var multi: MultiHandle?
  /// By the address of their handles.
  private var running: [UnsafeMutableRawPointer: Transfer] = [:]
  private var lastNumber: UInt64 = 0

  package init(loop: EventLoop) { self.loop = loop }

  /// The content of a file. Cancelling the task ends the transfer.
  package func fetch(_ request: TransferRequest) async throws(TransferFailure) -> [UInt8] {
    guard request.isUsable else { throw .unusable(request.address) }
    lastNumber += 1
    let number = lastNumber
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { begin(request, number, $0) }
    } onCancel: {
      // Behind what is running on the loop now, thus never before the transfer has begun.
      loop.execute { self.assumeIsolated { $0.cancel(number) } }
    }
    return try result.get()
  }

  private func begin(_ request: TransferRequest, _ number: UInt64, _ completion: Transfer.Completion) {
    let multi =
      multi
      ?? MultiHandle(loop: loop) { [weak self] socket, flags in
        self?.assumeIsolated { $0.proceed(socket: socket, flags: flags) }
      }
    self.multi = multi
    guard let transfer = Transfer(request, number: number, completion: completion) else {
      return completion.resume(returning: .failure(.broken("libcurl cannot be used as it has to be")))
    }
    guard let multi, multi.add(transfer) else {
      return transfer.complete(.failure(.broken("libcurl takes no transfer")))
    }
    running[transfer.easy] = transfer
  }

  private func proceed(socket: Int32, flags: Int32) {
    guard let multi else { return }
    for (easy, code) in multi.proceed(socket: socket, flags: flags) {
      guard let transfer = running.removeValue(forKey: easy) else { continue }
      multi.remove(transfer)
      transfer.complete(code)
    }
  }

  private func cancel(_ number: UInt64) {
    guard let transfer = running.values.first(where: { $0.number == number }) else { return }
    running[transfer.easy] = nil
    multi?.remove(transfer)
    transfer.complete(.failure(.cancelled))
  }
}
