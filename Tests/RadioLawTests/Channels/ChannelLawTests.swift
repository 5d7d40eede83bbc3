#if os(Linux)
  import BluetoothTypes
  import RadioPort
  import Synchronization
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  /// What each radio that has channels must do with them, at either end of a channel and of a link.
  @Suite("The laws of the port, channels", .reportsWorlds(packets: 40))
  struct ChannelLawTests {
    @Test("both ends hear once that a channel is open, and what it is", arguments: ChannelCase.all)
    func opening(_ which: ChannelCase) async throws {
      let publication = ChannelPublication(options: ChannelOptions(mtu: 300, mps: 100, credits: 7))
      try await ChannelPair.run(which, publication) { pair in
        let psm = try pair.psm
        #expect(pair.now.psms.count == 1 && psm.isDynamic)
        let end = try await pair.open(ChannelOptions(mtu: 1500, mps: 200, credits: 20))
        let other = try #require(pair.now.accepted.first)
        #expect(pair.now.accepted.count == 1)
        for (here, there, limits, mtu) in [
          (end, other, which.openLimits, 1500), (other, end, which.publishLimits, 300),
        ] {
          let (mine, theirs) = (try #require(here.now.info), try #require(there.now.info))
          #expect(mine.keepsBoundaries == !limits.contains(.streams))
          if !limits.contains(.choosesSizes) { #expect(mine.receiveLimit == mtu) }
          if !mine.keepsBoundaries || !theirs.keepsBoundaries { continue }
          #expect(theirs.sendLimit == mtu)
        }
        #expect(end.now.info?.psm == psm && other.now.info?.psm == psm)
        #expect(try end.now.info?.link == pair.link)
        // A second one is another one.
        let second = try await pair.open()
        #expect(second.now.channel != end.now.channel && pair.now.accepted.count == 2)
        #expect(end.now.ends.isEmpty && other.now.ends.isEmpty)
      }
    }

    @Test("F43: much goes each way at once, in order and whole, whatever the lengths", arguments: ChannelCase.all)
    func bulk(_ which: ChannelCase) async throws {
      let count = 100_000
      let publication = ChannelPublication(options: ChannelOptions(mtu: 300, mps: 100, credits: 7))
      try await ChannelPair.run(which, publication, toSend: count) { pair in
        let end = try await pair.open(ChannelOptions(mtu: 1500, mps: 200, credits: 20), toSend: count)
        let other = try #require(pair.now.accepted.first)
        while end.now.received < count || other.now.received < count, pair.world.now.sinceStart < .seconds(600) {
          try await pair.world.run(for: .seconds(1))
        }
        #expect(end.now.received == count && other.now.received == count)
        #expect(!end.now.isWrong && !other.now.isWrong)
        #expect(end.now.refusals > 10 && other.now.refusals > 10)
        #expect(end.now.ends.isEmpty && other.now.ends.isEmpty)
      }
    }

    @Test("an SDU of any length up to the limit comes as one; a longer one is refused", arguments: ChannelCase.all)
    func lengths(_ which: ChannelCase) async throws {
      let publication = ChannelPublication(options: ChannelOptions(mtu: 500, mps: 60, credits: 3))
      try await ChannelPair.run(which, publication) { pair in
        let end = try await pair.open(ChannelOptions(mtu: 400, mps: 50, credits: 2))
        let other = try #require(pair.now.accepted.first)
        // Around one frame, around two, and at the limit.
        for (sender, receiver, mps) in [(end, other, 60), (other, end, 50)] {
          let mtu = try #require(sender.now.info?.sendLimit)
          let lengths = [1, mps - 3, mps - 2, mps - 1, mps, 2 * mps - 2, 2 * mps - 1, mtu - 1, mtu]
          for length in lengths {
            #expect(try sender.sendOne(length).get() == .taken)
            try await pair.world.run(for: .seconds(2))
          }
          let tooLong = #expect(throws: RadioFailure.self) { try sender.sendOne(mtu + 1).get() }
          #expect(tooLong?.kind == .tooLong)
          try await pair.world.run(for: .seconds(1))
          #expect(!receiver.now.isWrong && receiver.now.received == lengths.reduce(0, +))
          let keepsBoundaries = [sender, receiver].allSatisfy { $0.now.info?.keepsBoundaries == true }
          if keepsBoundaries { #expect(receiver.now.lengths == lengths) }
        }
      }
    }

    @Test(
      "F34: who does not receive stops the other end, whose sends find no room; room is told once",
      arguments: ChannelCase.all
    )
    func backPressure(_ which: ChannelCase) async throws {
      let options = ChannelOptions(mtu: 100, mps: 50, credits: 8)
      try await ChannelPair.run(which, ChannelPublication(options: options)) { pair in
        let end = try await pair.open(options)
        let accepted = try #require(pair.now.accepted.first)
        for (sender, receiver) in [(end, accepted), (accepted, end)] {
          receiver.setReading(false)
          let count = 5 * which.mostUnderWay
          sender.send(count)
          try await pair.world.run(for: .seconds(30))
          let stopped = sender.now.sent
          #expect(stopped < which.mostUnderWay && receiver.now.received == 0)
          #expect(sender.now.refusals == sender.now.rooms + 1)
          try await pair.world.run(for: .seconds(30))
          #expect(sender.now.sent == stopped)
          receiver.setReading(true)
          try await pair.world.run(for: .seconds(120))
          #expect(receiver.now.received == count && !receiver.now.isWrong)
          #expect(sender.now.refusals == sender.now.rooms)
        }
      }
    }

    @Test("attributes stay quick while channels are busy, and the channels share the link", arguments: ChannelCase.all)
    func fairness(_ which: ChannelCase) async throws {
      try await ChannelPair.run(which, toSend: 10_000_000) { pair in
        let ends = (0..<3).map { _ in ChannelEnd(pair.opener, toSend: 10_000_000) }
        for end in ends { end.open(to: try pair.psm, on: try pair.link) }
        try await pair.world.run(for: .seconds(2))
        let link = try #require(pair.now.centralLink)
        let services = Outcome<[RemoteService]>()
        pair.enter(pair.central) { radio in _ = radio.discover(["FFE0"], on: link) { services.add($0) } }
        try await pair.world.run(for: .seconds(5))
        let handle = try services.value().characteristic("FFE5").handle
        for _ in 0..<5 {
          let before = pair.world.now
          let outcome = Outcome<[UInt8]>()
          pair.enter(pair.central) { radio in _ = radio.read(handle, on: link) { outcome.add($0) } }
          while outcome.count == 0, before.duration(to: pair.world.now) < .seconds(2) {
            try await pair.world.run(for: .milliseconds(20))
          }
          #expect(try !outcome.value().isEmpty)
          #expect(before.duration(to: pair.world.now) < .seconds(1))
        }
        let shares = ends.map(\.now.sent)
        #expect((shares.min() ?? 0) * 2 > (shares.max() ?? 0) && (shares.min() ?? 0) > 5000)
      }
    }

    // MARK: Refusals

    @Test(
      "what is not published, not any more, or is no PSM is refused with the reason, once",
      arguments: ChannelCase.all
    )
    func refusals(_ which: ChannelCase) async throws {
      let chosen: L2CAPPSM? = which.publishLimits.contains(.choosesPSM) ? nil : 0x0025
      try await ChannelPair.run(which, ChannelPublication(psm: chosen, requiresEncryption: true)) { pair in
        let first = try pair.psm
        #expect(chosen == nil || first == chosen)
        func refusal(_ psm: L2CAPPSM) async throws -> RadioFailure? {
          let end = ChannelEnd(pair.opener)
          end.open(to: psm, on: try pair.link)
          try await pair.world.run(for: .seconds(1))
          #expect(end.now.openings == 1)
          return end.now.failure
        }
        let locked = try await refusal(first)
        #expect(locked?.kind == .refused && locked?.underlying == .channel(.insufficientAuthentication))
        #expect(try await refusal(0x00A1)?.underlying == .channel(.spsmNotSupported))
        #expect(try await refusal(0x0100)?.kind == .invalidArgument)
        pair.enter(pair.publisher) { $0.unpublishChannel(pair.now.listener ?? ChannelListenerID(rawValue: 0)) }
        #expect(try await refusal(first)?.underlying == .channel(.spsmNotSupported))
        pair.publish(ChannelPublication(psm: chosen))
        try await pair.world.run(for: .seconds(1))
        #expect(try await refusal(try pair.psm) == nil)
        pair.publish(ChannelPublication(psm: 0x0025))
        pair.publish(ChannelPublication(psm: 0x0101))
        let kinds = pair.now.psms.map { result -> RadioFailure.Kind? in
          if case .failure(let failure) = result { failure.kind } else { nil }
        }
        #expect(kinds == [nil, nil, chosen == nil ? .unsupported : .busy, .invalidArgument])
        #expect(pair.now.accepted.count == 1)
      }
    }

    @Test("a radio without channels fails each wish once")
    func noChannels() async throws {
      try await World.simulated(seed: 1) { world in
        let (opened, published) = (Outcome<ChannelInfo>(), Outcome<L2CAPPSM>())
        let closings = Log()
        func ask(_ radio: isolated PlainRadio) {
          let id = radio.openChannel(
            to: 0x0080,
            on: LinkID(peer: PeerID(high: 1, low: 1), generation: 1),
            options: ChannelOptions(),
            events: { _ in },
            completion: { opened.add($0) }
          )
          #expect(radio.receive(on: id) == nil)
          let sent = Result { () throws(RadioFailure) in try radio.send([1], on: id) }
          guard case .failure(let failure) = sent, failure.kind == .unsupported else {
            Issue.record("it was not refused: \(sent)")
            return
          }
          radio.closeChannel(id, .now) { closings.add("closed") }
          let listener = radio.publishChannel(
            ChannelPublication(),
            incoming: { _, _ in { _ in } },
            completion: { published.add($0) }
          )
          radio.unpublishChannel(listener)
        }
        await ask(PlainRadio(executor: world.radio.executor))
        try await world.settle()
        #expect(try opened.failure().kind == .unsupported)
        #expect(try published.failure().kind == .unsupported)
        #expect(closings.take() == ["closed"])
      }
    }

    @Test("where channels are opened only by the central, the peripheral's wish fails once and says what to do")
    func opensAsCentralOnly() async throws {
      let which = ChannelCase(kind: .coreBluetooth, opens: false, isCentral: false)
      try await ChannelPair.run(which) { pair in
        // The framework tells of a central only when it has done something.
        _ = try await pair.open()
        let end = ChannelEnd(pair.publisher)
        end.open(to: 0x0080, on: try #require(pair.now.peripheralLink))
        #expect(end.now.openings == 1 && end.now.failure?.kind == .unsupported)
        #expect(end.now.failure?.reason.contains("let the central open") == true)
        let stranger = ChannelEnd(pair.publisher)
        stranger.open(to: 0x0080, on: LinkID(peer: PeerID(high: 1, low: 1), generation: 1))
        #expect(stranger.now.openings == 1 && stranger.now.failure?.kind == .notConnected)
      }
    }

    @Test("a wish that is given up while another is under way costs that nothing", arguments: ChannelCase.all)
    func givenUpBehindAnother(_ which: ChannelCase) async throws {
      try await ChannelPair.run(which) { pair in
        let ends = (0..<4).map { _ in ChannelEnd(pair.opener, toSend: 100) }
        for end in ends { end.open(to: try pair.psm, on: try pair.link) }
        ends[0].close(.now)
        ends[2].close(.now)
        try await pair.world.run(for: .seconds(3))
        #expect(ends.map(\.now.openings) == [0, 1, 0, 1])
        #expect(ends.map(\.now.closings) == [1, 0, 1, 0])
        #expect(ends.map(\.now.sent) == [0, 100, 0, 100])
        let alive = pair.now.accepted.filter(\.now.ends.isEmpty)
        #expect(alive.map(\.now.received) == [100, 100])
      }
    }

    // MARK: Ends

    @Test(
      "each end can close; the other is told, what came before is still received, and another channel works",
      arguments: ChannelCase.all
    )
    func closing(_ which: ChannelCase) async throws {
      try await ChannelPair.run(which) { pair in
        for closesOpener in [true, false] {
          let end = try await pair.open()
          let accepted = try #require(pair.now.accepted.last)
          let (closer, other) = closesOpener ? (end, accepted) : (accepted, end)
          other.setReading(false)
          closer.send(5000)
          closer.close(.afterSending)
          try await pair.world.run(for: .seconds(2))
          #expect(closer.now.closings == 1 && closer.now.ends.isEmpty)
          #expect(other.now.ends == [nil])
          let late = #expect(throws: RadioFailure.self) { try other.sendOne(1).get() }
          #expect(late?.kind == .notConnected)
          other.setReading(true)
          #expect(other.now.received == 5000 && !other.now.isWrong)
          other.close(.now)
          other.close(.now)
          closer.close(.now)
          #expect(other.now.closings == 2 && closer.now.closings == 2)
        }
        // Both at once.
        let start = pair.world.now
        let end = try await pair.open()
        let other = try #require(pair.now.accepted.last)
        end.close(.now)
        other.close(.now)
        try await pair.world.run(for: .seconds(1))
        #expect(end.now.closings == 1 && other.now.closings == 1)
        #expect(end.now.ends.isEmpty && other.now.ends.isEmpty)
        #expect(start.duration(to: pair.world.now) < .seconds(3))
      }
    }

    @Test(
      "a close after sending waits for credits, until it is closed again at once",
      arguments: ChannelCase.all.filter { !$0.openLimits.contains(.streams) }
    )
    func stuckClose(_ which: ChannelCase) async throws {
      let options = ChannelOptions(mtu: 1000, mps: 50, credits: 2)
      try await ChannelPair.run(which, ChannelPublication(options: options)) { pair in
        let end = try await pair.open(options)
        let accepted = try #require(pair.now.accepted.last)
        accepted.setReading(false)
        // More than the other end holds.
        end.send(which.publishLimits.contains(.choosesSizes) ? 2 * which.mostUnderWay : 8000)
        try await pair.world.run(for: .seconds(10))
        end.close(.afterSending)
        try await pair.world.run(for: .seconds(60))
        #expect(end.now.closings == 0 && accepted.now.ends.isEmpty)
        end.close(.now)
        try await pair.world.run(for: .seconds(1))
        #expect(end.now.closings == 2 && accepted.now.ends == [nil])
      }
    }

    @Test(
      "a wish that is given up is not told of, and a channel that opens in spite of it ends",
      arguments: ChannelCase.all
    )
    func givenUp(_ which: ChannelCase) async throws {
      try await ChannelPair.run(which) { pair in
        let end = ChannelEnd(pair.opener)
        end.open(to: try pair.psm, on: try pair.link)
        end.close(.now)
        try await pair.world.run(for: .seconds(2))
        #expect(end.now.openings == 0 && end.now.closings == 1)
        for accepted in pair.now.accepted { #expect(accepted.now.ends == [nil]) }
        let next = try await pair.open(toSend: 10)
        #expect(next.now.sent == 10)
      }
    }

    enum Loss: CaseIterable, Sendable { case range, release, power }

    @Test(
      "F02: with the link each channel ends once, with the cause, whatever waits; what came before is received",
      arguments: ChannelCase.all,
      Loss.allCases
    )
    func losses(_ which: ChannelCase, _ loss: Loss) async throws {
      let options = ChannelOptions(mtu: 100, mps: 50, credits: 4)
      try await ChannelPair.run(which, ChannelPublication(options: options), toSend: 300) { pair in
        let end = try await pair.open(options, toSend: 300)
        let other = try #require(pair.now.accepted.last)
        let ends = [end, other]
        // Each has something to send and something to receive.
        for end in ends { end.setReading(false) }
        for end in ends { end.send(100_000) }
        try await pair.world.run(for: .seconds(2))
        let pending = ChannelEnd(pair.opener)
        let link = try pair.link
        switch loss {
        case .range: pair.setReachable(false)
        case .release: pair.disconnect()
        case .power: pair.world.radioPower(false)
        }
        pending.open(to: try pair.psm, on: link)
        try await pair.world.run(for: .seconds(10))
        let (mine, theirs) = pair.opener === pair.subject ? (end, other) : (other, end)
        #expect(mine.now.ends.count == 1 && theirs.now.ends.count == 1)
        #expect(mine.now.ends.first??.kind == (loss == .power ? .poweredOff : .disconnected))
        #expect(theirs.now.ends.first??.kind == .disconnected)
        #expect(pending.now.openings == 1 && pending.now.failure != nil)
        for end in ends {
          let received = end.now.received
          #expect(throws: RadioFailure.self) { try end.sendOne(1).get() }
          end.setReading(true)
          #expect(end.now.received > received && !end.now.isWrong)
          end.close(.afterSending)
          #expect(end.now.closings == 1 && end.now.ends.count == 1)
        }
      }
    }

    // MARK: A fault at every moment

    private enum Fault: CaseIterable, Sendable {
      case closeHere, closeThere, closeBoth, disconnect, outOfReach, powerOff
    }

    /// The radio under test at either end, once as central and once as peripheral.
    private static let swept = ChannelCase.all.filter { $0.opens == $0.isCentral }

    @Test(
      "a channel is closed or lost at every packet: each end ends once, and the next channel works",
      arguments: swept,
      0..<6
    )
    func sweep(_ which: ChannelCase, number: Int) async throws {
      let fault = Fault.allCases[number]
      var moment = 1
      // Where the radio is over the other one, fewer moments do.
      let step = (fault == .outOfReach ? 29 : 13) * (which.kind == .host ? 1 : 3)
      while try await strike(fault, at: moment, which), moment < 2000 { moment += step }
      #expect(moment > 50 && moment < 2000)
    }

    /// Whether the session lasted until the moment.
    private func strike(_ fault: Fault, at moment: Int, _ which: ChannelCase) async throws -> Bool {
      let lasted = Mutex(true)
      let publication = ChannelPublication(options: ChannelOptions(mtu: 100, mps: 50, credits: 4))
      try await ChannelPair.run(which, publication, toSend: 600, seed: 6) { pair in
        let world = pair.world
        let end = ChannelEnd(pair.opener, toSend: 600)
        let struck = Mutex<(start: Int?, isDone: Bool)>((nil, false))
        world.watchPackets { number in
          let isNow = struck.withLock { struck in
            struck.start = struck.start ?? number
            guard !struck.isDone, number - (struck.start ?? number) + 1 >= moment else { return false }
            struck.isDone = true
            return true
          }
          if isNow { pair.central.executor.submit { Self.perform(fault, pair, end) } }
        }
        end.open(to: try pair.psm, on: try pair.link, ChannelOptions(mtu: 200, mps: 60, credits: 3))
        try await world.run(for: .seconds(2))
        end.close(.afterSending)
        try await world.run(for: .seconds(1))
        guard struck.withLock({ $0.isDone }) else {
          #expect(end.now.received == 600 && pair.now.accepted.first?.now.received == 600)
          return lasted.withLock { $0 = false }
        }
        world.watchPackets(nil)
        try await world.run(for: .seconds(10))
        // Each end that was open has ended, in one way or the other.
        let closedAt = end.now
        #expect(closedAt.openings <= 1 && closedAt.ends.count <= 1 && closedAt.closings >= 1, "moment \(moment)")
        for accepted in pair.now.accepted {
          let state = accepted.now
          #expect(state.ends.count + (state.closings > 0 ? 1 : 0) >= 1, "moment \(moment)")
          #expect(state.ends.count <= 1 && !state.isWrong, "moment \(moment)")
        }
        #expect(!end.now.isWrong)
        // Everything works again.
        if fault == .outOfReach { pair.setReachable(true) }
        if fault == .powerOff { world.radioPower(true) }
        try await world.run(for: .seconds(3))
        if !pair.isLinked || fault == .disconnect { try await pair.reconnect() }
        let before = pair.now.accepted.count
        let next = ChannelEnd(pair.opener, toSend: 600)
        next.open(to: try pair.psm, on: try pair.link)
        try await world.run(for: .seconds(3))
        #expect(next.now.received == 600, "moment \(moment)")
        #expect(pair.now.accepted.count == before + 1, "moment \(moment)")
        #expect(pair.now.accepted.last?.now.received == 600, "moment \(moment)")
      }
      return lasted.withLock { $0 }
    }

    private static func perform(_ fault: Fault, _ pair: ChannelPair, _ end: ChannelEnd) {
      switch fault {
      case .closeHere: end.close(.now)
      case .closeThere: for accepted in pair.now.accepted { accepted.close(.now) }
      case .closeBoth:
        end.close(.now)
        for accepted in pair.now.accepted { accepted.close(.now) }
      case .disconnect: pair.disconnect()
      case .outOfReach: pair.setReachable(false)
      case .powerOff: pair.world.radioPower(false)
      }
    }
  }
#endif
