#if os(Linux)
  import CoreBluetooth
  import RadioPort
  import Testing
  import VirtualRadio
  import VirtualRadioTesting

  @Suite("CBL2CAPChannel: channels in Apple's API", .reportsWorlds)
  struct ChannelFlowTests {
    @Test("publishL2CAPChannel, didPublish, openL2CAPChannel and both didOpen: peer, psm, inputStream, outputStream")
    func opening() async throws {
      try await World.simulated(seed: 1) { world in
        let bench = try await ChannelBench.connected(world)
        let (channel, other) = try await bench.open()
        #expect(bench.take().sorted() == ["accepted", "opened \(bench.psm)"])
        #expect(channel.psm == bench.psm && other.psm == bench.psm)
        #expect(channel.peer === bench.peripheral)
        let central = try #require(other.peer as? CBCentral)
        #expect(central.identifier != bench.peripheral.identifier)
        for end in [channel, other] {
          #expect(end.inputStream.streamStatus == .notOpen && end.outputStream.streamStatus == .notOpen)
          #expect(end.inputStream === end.inputStream && !end.inputStream.hasBytesAvailable)
          var byte: UInt8 = 0
          #expect(end.inputStream.read(&byte, maxLength: 1) == -1 && end.outputStream.write([1], maxLength: 1) == -1)
        }
        // A second one is another one, to the same central.
        let (second, accepted) = try await bench.open()
        #expect(second !== channel && accepted.peer === central)
      }
    }

    @Test("StreamDelegate: openCompleted, hasSpaceAvailable, hasBytesAvailable; bytes go both ways")
    func events() async throws {
      try await World.simulated(seed: 2) { world in
        let bench = try await ChannelBench.connected(world)
        let (channel, other) = try await bench.open()
        let (near, far) = (StreamRecorder(channel), StreamRecorder(other))
        #expect(near.events.isEmpty, "an event came inside of the call that caused it")
        try await world.run(for: .seconds(1))
        #expect(near.take() == ["input open", "output open", "space"])
        #expect(far.take() == ["input open", "output open", "space"])
        near.toSend = Data("to the peripheral".utf8)
        near.send()
        try await world.run(for: .seconds(1))
        #expect(near.take() == ["space"] && far.take() == ["bytes"])
        #expect(far.received == Data("to the peripheral".utf8))
        far.isReading = false
        near.toSend = Data([1, 2, 3, 4])
        near.send()
        try await world.run(for: .seconds(1))
        // Told once, and again after each read that leaves something.
        #expect(far.take() == ["bytes"] && other.inputStream.hasBytesAvailable)
        near.toSend = Data([5])
        near.send()
        try await world.run(for: .seconds(1))
        #expect(far.take() == [])
        far.read(upTo: 2)
        try await world.run(for: .seconds(1))
        #expect(far.take() == ["bytes"])
        far.read(upTo: 9)
        try await world.run(for: .seconds(1))
        #expect(far.take() == [] && !other.inputStream.hasBytesAvailable)
        #expect(far.received.suffix(5) == Data([1, 2, 3, 4, 5]))
        far.toSend = Data("back".utf8)
        far.send()
        try await world.run(for: .seconds(1))
        #expect(near.received == Data("back".utf8))
      }
    }

    @Test(
      "hasSpaceAvailable: who does not read stops the other end, by credits, and nothing is lost",
      arguments: [true, false]
    )
    func backPressure(centralSends: Bool) async throws {
      try await World.simulated(seed: 3) { world in
        let bench = try await ChannelBench.connected(world)
        let (channel, other) = try await bench.open()
        let (near, far) = (StreamRecorder(channel), StreamRecorder(other))
        let (sender, receiver) = centralSends ? (near, far) : (far, near)
        let stream: OutputStream = centralSends ? channel.outputStream : other.outputStream
        try await world.run(for: .seconds(1))
        receiver.isReading = false
        let all = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 &>> 8) })
        sender.toSend = all
        sender.send()
        try await world.run(for: .seconds(60))
        let left = sender.toSend.count
        #expect(left > 120_000 && !stream.hasSpaceAvailable)
        try await world.run(for: .seconds(60))
        #expect(sender.toSend.count == left)
        // A write that would have to wait says so instead of stopping the world.
        #expect(stream.write([0], maxLength: 1) == -1 && stream.streamStatus == .open)
        receiver.isReading = true
        receiver.read()
        try await world.run(for: .seconds(60))
        #expect(receiver.received == all && stream.hasSpaceAvailable)
      }
    }

    @Test("close: what was written comes, then endEncountered at the other end; a close there ends it here too")
    func closing() async throws {
      try await World.simulated(seed: 4) { world in
        let bench = try await ChannelBench.connected(world)
        for closesOpener in [true, false] {
          let (channel, other) = try await bench.open()
          let (near, far) = (StreamRecorder(channel), StreamRecorder(other))
          let (closer, stays) = closesOpener ? (near, far) : (far, near)
          let (closed, open) = closesOpener ? (channel, other) : (other, channel)
          try await world.run(for: .seconds(1))
          stays.isReading = false
          _ = stays.take()
          closer.toSend = Data(count: 3000)
          closer.send()
          closer.close()
          #expect(closed.inputStream.streamStatus == .closed && closed.outputStream.streamStatus == .closed)
          try await world.run(for: .seconds(2))
          // The input has an end when all is read.
          #expect(stays.take().filter { $0 != "space" } == ["bytes", "output end"])
          #expect(open.outputStream.streamStatus == .atEnd && open.inputStream.streamStatus == .open)
          #expect(open.outputStream.write([1], maxLength: 1) == -1)
          stays.read()
          try await world.run(for: .seconds(1))
          #expect(stays.take() == ["input end"] && stays.received.count == 3000)
          #expect(open.inputStream.streamStatus == .atEnd && open.inputStream.streamError == nil)
          var byte: UInt8 = 0
          #expect(open.inputStream.read(&byte, maxLength: 1) == 0)
        }
      }
    }

    @Test("a channel that nobody keeps is closed, at either end", arguments: [true, false])
    func release(opener: Bool) async throws {
      try await World.simulated(seed: 5) { world in
        let bench = try await ChannelBench.connected(world)
        bench.peripheral.openL2CAPChannel(bench.psm)
        try await world.run(for: .seconds(1))
        let stays = StreamRecorder(try #require(opener ? bench.accepted.first : bench.opened.first))
        try await world.run(for: .seconds(1))
        _ = stays.take()
        if opener { bench.opened = [] } else { bench.accepted = [] }
        try await world.run(for: .seconds(1))
        #expect(stays.take().sorted() == ["input end", "output end"])
      }
      // Nobody takes it in the first place.
      try await World.simulated(seed: 5) { world in
        let bench = try await ChannelBench.connected(world)
        bench.keeps = false
        bench.peripheral.openL2CAPChannel(bench.psm)
        try await world.run(for: .seconds(1))
        let stays = StreamRecorder(try #require(bench.opened.first))
        try await world.run(for: .seconds(1))
        #expect(stays.take().suffix(2).sorted() == ["input end", "output end"])
      }
    }

    @Test("errorOccurred with the reason where the connection is lost; endEncountered where it was ended here")
    func disconnect() async throws {
      try await World.simulated(seed: 6) { world in
        let bench = try await ChannelBench.connected(world)
        let (channel, other) = try await bench.open()
        let (near, far) = (StreamRecorder(channel), StreamRecorder(other))
        try await world.run(for: .seconds(1))
        (_, _) = (near.take(), far.take())
        world.move(world.radio, to: RadioPosition(x: 100_000))
        try await world.run(for: .seconds(10))
        #expect(near.take().sorted() == ["input error", "output error"])
        #expect(far.take().sorted() == ["input error", "output error"])
        for end in [channel, other] {
          #expect(end.inputStream.streamStatus == .error && end.outputStream.streamStatus == .error)
          #expect((end.inputStream.streamError as? CBError)?.code == .connectionTimeout)
        }
      }
      try await World.simulated(seed: 7) { world in
        let bench = try await ChannelBench.connected(world)
        let (channel, _) = try await bench.open()
        let near = StreamRecorder(channel)
        try await world.run(for: .seconds(1))
        _ = near.take()
        bench.central.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(1))
        #expect(near.take().sorted() == ["input end", "output end"])
        #expect(channel.outputStream.streamStatus == .atEnd)
      }
    }

    @Test("the PSM is told by a characteristic of Apple's UUID, and the channel to it opens")
    func toldPSM() async throws {
      try await World.simulated(seed: 1) { world in
        let bench = try await ChannelBench.connected(world)
        let service = CBMutableService(type: CBUUID(string: "FFE0"), primary: true)
        service.characteristics = [
          CBMutableCharacteristic(
            type: CBUUID(string: CBUUIDL2CAPPSMCharacteristicString),
            properties: .read,
            value: withUnsafeBytes(of: bench.psm.littleEndian) { Data($0) },
            permissions: .readable
          )
        ]
        bench.server.add(service)
        try await world.run(for: .seconds(1))
        let (peripheral, recorder) = (bench.peripheral, Recorder())
        peripheral.delegate = recorder
        peripheral.discoverServices([service.uuid])
        try await world.run(for: .seconds(2))
        let found = try #require(peripheral.services?.first)
        peripheral.discoverCharacteristics([CBUUID(string: CBUUIDL2CAPPSMCharacteristicString)], for: found)
        try await world.run(for: .seconds(1))
        let characteristic = try #require(found.characteristics?.first)
        peripheral.readValue(for: characteristic)
        try await world.run(for: .seconds(1))
        let value = try #require(characteristic.value)
        #expect(value.count == 2)
        let psm = value.reversed().reduce(CBL2CAPPSM(0)) { $0 << 8 | CBL2CAPPSM($1) }
        peripheral.delegate = bench
        peripheral.openL2CAPChannel(psm)
        try await world.run(for: .seconds(1))
        #expect(bench.opened.map(\.psm) == [psm] && bench.accepted.count == 1)
      }
    }

    @Test("F14: didOpen with an error, once: unknown PSM, no encryption, no channel any more, lost on the way")
    func refusals() async throws {
      try await World.simulated(seed: 8) { world in
        let bench = try await ChannelBench.connected(world)
        let open = bench.psm
        bench.peripheral.openL2CAPChannel(0x00F0)
        try await world.run(for: .seconds(1))
        #expect(bench.take() == ["opened 0 failed"])
        #expect((bench.errors.last as? CBError)?.code == .invalidParameters)
        bench.peripheral.openL2CAPChannel(0x1234)
        try await world.run(for: .seconds(1))
        #expect(bench.take() == ["opened 0 failed"])
        bench.server.publishL2CAPChannel(withEncryption: true)
        try await world.run(for: .seconds(1))
        #expect(bench.take() == ["published"] && bench.psm != open)
        bench.peripheral.openL2CAPChannel(bench.psm)
        try await world.run(for: .seconds(1))
        #expect(bench.take() == ["opened 0 failed"])
        #expect((bench.errors.last as? CBATTError)?.code == .insufficientAuthentication)
        // Those that are open stay when the PSM goes.
        bench.peripheral.openL2CAPChannel(open)
        try await world.run(for: .seconds(1))
        _ = bench.take()
        bench.server.unpublishL2CAPChannel(open)
        try await world.run(for: .seconds(1))
        #expect(bench.take() == ["unpublished \(open)"])
        let near = StreamRecorder(try #require(bench.opened.last))
        let far = StreamRecorder(try #require(bench.accepted.last))
        near.toSend = Data([9])
        try await world.run(for: .seconds(1))
        #expect(far.received == Data([9]))
        bench.peripheral.openL2CAPChannel(open)
        bench.server.unpublishL2CAPChannel(open)
        try await world.run(for: .seconds(1))
        #expect(bench.take().sorted() == ["opened 0 failed", "unpublished \(open) failed"])
        #expect(bench.errors.contains { ($0 as? CBError)?.code == .invalidParameters })
        // The connection goes meanwhile.
        bench.peripheral.openL2CAPChannel(open)
        bench.central.cancelPeripheralConnection(bench.peripheral)
        try await world.run(for: .seconds(1))
        #expect(bench.take() == ["opened 0 failed", "disconnected"])
        bench.peripheral.openL2CAPChannel(open)
        try await world.run(for: .seconds(1))
        #expect(bench.take() == [])
      }
    }

    @Test("a manager that is gone listens no more; the PSMs of others stay")
    func gone() async throws {
      try await World.simulated(seed: 9) { world in
        let bench = try await ChannelBench.connected(world)
        var second: CBPeripheralManager? = CBPeripheralManager(bench, on: bench.radio)
        try await world.run(for: .seconds(1))
        let first = bench.psm
        second?.publishL2CAPChannel(withEncryption: false)
        try await world.run(for: .seconds(1))
        let (psm, _) = (bench.psm, bench.take())
        #expect(psm != first)
        second = nil
        try await world.run(for: .seconds(1))
        bench.peripheral.openL2CAPChannel(psm)
        try await world.run(for: .seconds(1))
        #expect(bench.take() == ["opened 0 failed"])
        bench.peripheral.openL2CAPChannel(first)
        try await world.run(for: .seconds(1))
        #expect(bench.take().sorted() == ["accepted", "opened \(first)"])
      }
    }
  }
#endif
