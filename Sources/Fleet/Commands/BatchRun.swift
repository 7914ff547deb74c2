import FleetModel

/// Carries the commands of a batch out, one after the other, in the batch's own turn at the board.
struct BatchRun: Sendable {
  let batch: BatchCommand
  let stages: CommandProgress

  /// `carryOut` does one command, as if it had come alone.
  func run<Board: Actor>(
    by board: isolated Board,
    _ carryOut: (BoardIntent, CommandProgress, isolated Board) async -> CommandOutcome
  ) async -> CommandOutcome {
    var progress = BatchProgress(batch)
    while let step = progress.next {
      let outcome = await carryOut(batch.steps[step].intent, stages(of: step, progress), board)
      progress.ended(step, outcome)
      _ = await stages.note(progress)
    }
    return progress.outcome
  }

  /// What one command hears: it begins when it is about to reach the board, and not before that is written down.
  private func stages(of step: Int, _ progress: BatchProgress) -> CommandProgress {
    let stages = stages
    var begun = progress
    begun.begin(step)
    return CommandProgress(
      sender: stages.sender, sent: { [begun] in await stages.note(begun) },
      progress: { [begun] percent, eta in
        // When one command may be over tells nothing of the others.
        let isLast = step == begun.steps.count - 1
        await stages.progress(begun.percent(percent / 100), isLast ? eta : nil)
      })
  }
}
