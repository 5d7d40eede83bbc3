#if os(Linux)
  import RadioPort

  /// A radio that has nothing but what every radio has.
  actor PlainRadio: ChannelRadio {
    nonisolated let executor: any RadioExecutor

    init(executor: any RadioExecutor) { self.executor = executor }

    var state: RadioState { .poweredOn }

    func observeState(_ observer: @escaping @Sendable (RadioState) -> Void) -> RadioObservation {
      RadioObservation(rawValue: 0)
    }

    func endObservation(_ observation: RadioObservation) {}

    func mtu(of link: LinkID) -> Int { 23 }
  }
#endif
