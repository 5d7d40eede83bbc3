/// How long a simulated run may go on.
package struct LoopLimits: Sendable {
  /// How much of the world's time may pass.
  package var time: Duration
  /// How many jobs may run while time stands still.
  package var jobsAtOneMoment: Int
  /// How many jobs may run after the run has failed, or after its body has ended.
  package var jobsAfterwards: Int
  /// How long, in real time, a run without any work is given before it counts as stalled: what escaped to another thread
  /// may still come back, and can then be named.
  package var grace: Duration

  package init(
    time: Duration = .seconds(24 * 3600),
    jobsAtOneMoment: Int = 3_000_000,
    jobsAfterwards: Int = 1_000_000,
    grace: Duration = .seconds(1)
  ) {
    self.time = time
    self.jobsAtOneMoment = jobsAtOneMoment
    self.jobsAfterwards = jobsAfterwards
    self.grace = grace
  }
}
