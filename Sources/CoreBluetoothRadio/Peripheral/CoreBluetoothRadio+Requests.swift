#if !os(tvOS) && !os(watchOS)
  import BluetoothTypes
  import CoreBluetooth
  import RadioPort

  // Requests of centrals, and their answers.

  extension CoreBluetoothRadio {
    private static let longestValue = 512

    private func answer(_ request: CBATTRequest, _ result: Result<[UInt8], ATTErrorCode>) {
      switch result {
      case .success(let value):
        request.value = Data(value)
        peripheralManager.respond(to: request, withResult: .success)
      case .failure(let code):
        peripheralManager.respond(
          to: request,
          withResult: CBATTError.Code(rawValue: Int(code.rawValue)) ?? .unlikelyError
        )
      }
    }

    // MARK: Reads

    func asked(toRead request: CBATTRequest) {
      let central = seen(request.central)
      guard let characteristic = serving.objects[ObjectIdentifier(request.characteristic)] else {
        return answer(request, .failure(.unlikelyError))
      }
      let handle = characteristic.handle
      if request.offset > 0, let whole = central.longRead, whole.handle == handle {
        return answer(request, Self.part(of: whole.value, from: request.offset))
      }
      central.longRead = nil
      if let value = characteristic.stored {
        keep(value, of: handle, at: request.offset, for: central)
        return answer(request, Self.part(of: value, from: request.offset))
      }
      guard serving.servers[characteristic.server] != nil else { return answer(request, .failure(.unlikelyError)) }
      let id = ServerRequestID(rawValue: next())
      serving.requests[id] = OpenRequest(
        server: characteristic.server,
        link: central.link,
        work: .read(request, handle)
      )
      tell(
        characteristic.server,
        .read(ReadRequest(id: id, central: central.link, attribute: handle, offset: request.offset))
      )
    }

    private static func part(of value: [UInt8], from offset: Int) -> Result<[UInt8], ATTErrorCode> {
      offset <= value.count ? .success(Array(value.dropFirst(offset))) : .failure(.invalidOffset)
    }

    /// Keeps a value that the central will ask for in parts, as the framework may ask for each.
    private func keep(_ value: [UInt8], of handle: AttributeHandle, at offset: Int, for central: ServedCentral) {
      if offset == 0, value.count > central.mtu - 1 { central.longRead = (handle, value) }
    }

    // MARK: Writes

    func asked(toWrite requests: [CBATTRequest]) {
      guard let first = requests.first else { return }
      let central = seen(first.central)
      central.longRead = nil
      var job = WriteJob(link: central.link, first: first)
      for part in joined(requests) {
        guard let part, let characteristic = serving.characteristics[part.attribute] else {
          return answer(first, .failure(.unlikelyError))
        }
        job.attributes.insert(part.attribute)
        if characteristic.definition.properties.contains(.write) { job.wantsResponse = true }
        guard characteristic.stored != nil else {
          job.add(part, of: characteristic.server)
          continue
        }
        let before = job.stored.last { $0.handle == part.attribute }?.value ?? characteristic.stored ?? []
        guard part.offset <= before.count else { return answer(first, .failure(.invalidOffset)) }
        let value = before.prefix(part.offset) + part.value
        guard value.count <= Self.longestValue else { return answer(first, .failure(.invalidAttributeValueLength)) }
        job.stored.append((part.attribute, Array(value)))
      }
      // What is prepared is always executed with a response.
      if requests.count > 1 { job.wantsResponse = true }
      goOn(job)
    }

    /// What is written, where parts of one value that follow each other are one; `nil` for what is not served.
    private func joined(_ requests: [CBATTRequest]) -> [WriteRequest.Part?] {
      var parts: [WriteRequest.Part?] = []
      for request in requests {
        let value = [UInt8](request.value ?? Data())
        guard let handle = serving.objects[ObjectIdentifier(request.characteristic)]?.handle else {
          parts.append(nil)
          continue
        }
        if let last = parts.last, var last, last.attribute == handle, last.offset + last.value.count == request.offset,
          request.offset > 0
        {
          last.value += value
          parts[parts.count - 1] = last
        } else {
          parts.append(WriteRequest.Part(attribute: handle, offset: request.offset, value: value))
        }
      }
      return parts
    }

    /// Asks the next owner or, when all have agreed, writes what the radio keeps.
    private func goOn(_ job: WriteJob) {
      guard let group = job.groups.first else { return commit(job) }
      guard serving.servers[group.server] != nil else { return answer(job.first, .failure(.unlikelyError)) }
      let id = ServerRequestID(rawValue: next())
      serving.requests[id] = OpenRequest(server: group.server, link: job.link, work: .write(job))
      tell(
        group.server,
        .write(WriteRequest(id: id, central: job.link, parts: group.parts, wantsResponse: job.wantsResponse))
      )
      // No answer is due.
      if !job.wantsResponse { respond(to: id, with: .success([])) }
    }

    private func commit(_ job: WriteJob) {
      for (handle, value) in job.stored { serving.characteristics[handle]?.stored = value }
      peripheralManager.respond(to: job.first, withResult: .success)
      for (handle, value) in job.stored {
        if let server = serving.characteristics[handle]?.server { tell(server, .stored(job.link, handle, value)) }
      }
    }

    // MARK: Answers

    package func respond(to request: ServerRequestID, with result: Result<[UInt8], ATTErrorCode>) {
      guard let open = serving.requests.removeValue(forKey: request) else { return }
      switch (open.work, result) {
      case (.read(let asked, let handle), .success(let value)):
        guard asked.offset + value.count <= Self.longestValue else {
          answer(asked, .failure(.unlikelyError))
          break
        }
        if let central = central(open.link) { keep(value, of: handle, at: asked.offset, for: central) }
        answer(asked, .success(value))
      case (.write(var job), .success):
        job.groups.removeFirst()
        goOn(job)
      case (_, .failure(let code)): answer(open.asked, .failure(code))
      }
      if let central = central(open.link) { seen(central) }
    }

    /// Ends requests whose owner or attribute is gone.
    func refuseRequests(_ isConcerned: (OpenRequest) -> Bool) {
      let those = serving.requests.filter { isConcerned($0.value) }.sorted { $0.key.rawValue < $1.key.rawValue }
      for (id, request) in those where serving.requests.removeValue(forKey: id) != nil {
        answer(request.asked, .failure(.unlikelyError))
        tell(request.server, .requestEnded(id))
      }
    }
  }
#endif
