extension Central {
  /// What a central does where the caller says nothing else. Everything has a default.
  public struct Configuration: Sendable {
    /// How long operations may take.
    public var timeouts: Timeouts
    /// What scans and connects do while Bluetooth is off or being reset, and what becomes of a scan or a connect that is
    /// under way when it goes off: by default they fail at once. Where there is no Bluetooth or the program may not use
    /// it they always fail at once; while that is not known yet they always wait.
    public var whenOff: WaitPolicy
    /// What reads, writes, subscriptions and the other operations of a peripheral do while it is not connected: by
    /// default they fail at once. While a connection is being set up they always wait.
    public var whenNotConnected: WaitPolicy
    /// Whether and how a connection that was lost is made again, where a connect does not say.
    public var reconnect: Reconnect
    /// The language of error messages.
    public var language: Language
    /// Where to tell what happens; `nil`, the default, tells nothing.
    public var log: (any LogSink)?

    /// The defaults, or what is given in their place.
    public init(
      timeouts: Timeouts = Timeouts(),
      whenOff: WaitPolicy = .fail,
      whenNotConnected: WaitPolicy = .fail,
      reconnect: Reconnect = .never,
      language: Language = .english,
      log: (any LogSink)? = nil
    ) {
      self.timeouts = timeouts
      self.whenOff = whenOff
      self.whenNotConnected = whenNotConnected
      self.reconnect = reconnect
      self.language = language
      self.log = log
    }
  }

  /// How long operations may take where the caller does not say; `nil` means without limit.
  ///
  /// | operation | default |
  /// |---|---|
  /// | ready | 30 s |
  /// | scan (without a duration) | 30 s |
  /// | list of what is near | none |
  /// | connect, set-up of a connection included | 30 s |
  /// | set-up of a connection by itself, also after a reconnect | 30 s |
  /// | attempt to reconnect with ``Reconnect/backoff(initial:factor:cap:jitter:attempts:)`` | as connect |
  /// | discover | 30 s |
  /// | read, write (each part of a transfer), subscribe | 30 s |
  /// | request: a command and its answer | 30 s |
  /// | open a channel, send a message on one | 30 s |
  /// | signal strength | 10 s |
  ///
  /// What a read or a write has to discover or to wait for first counts as part of it. A disconnect has the radio's own
  /// limit.
  public struct Timeouts: Hashable, Sendable {
    /// Until Bluetooth can be used.
    public var ready: Duration? = .seconds(30)
    /// A scan that was not given a duration.
    public var scan: Duration? = .seconds(30)
    /// A connect.
    public var connect: Duration? = .seconds(30)
    /// The set-up of a connection, each time that it comes up.
    public var setUp: Duration? = .seconds(30)
    /// A discovery that was asked for by itself.
    public var discover: Duration? = .seconds(30)
    /// A read.
    public var read: Duration? = .seconds(30)
    /// A write of either kind, and a message on a channel.
    public var write: Duration? = .seconds(30)
    /// A subscription, until the device has agreed.
    public var subscribe: Duration? = .seconds(30)
    /// A command and its answer.
    public var request: Duration? = .seconds(30)
    /// The opening of a channel.
    public var openChannel: Duration? = .seconds(30)
    /// A measurement of the signal strength.
    public var readRSSI: Duration? = .seconds(10)

    /// The defaults.
    public init() {}
  }
}
