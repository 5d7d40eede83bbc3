extension Central {
  /// Where the radio works. A task that prefers it runs beside the radio, without a change of threads at each call:
  /// `Task(executorPreference: central.executor) { … }`. It must not block.
  public var executor: any TaskExecutor { core.executor }
}

extension Peripheral {
  /// Where the radio works; see ``Central/executor``.
  public var executor: any TaskExecutor { core.executor }
}

extension PeripheralServer {
  /// Where the radio works; see ``Central/executor``.
  public var executor: any TaskExecutor { core.executor }
}
