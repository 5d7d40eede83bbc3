extension AdvertisingData {
  /// Takes in what the same device said later, as a scanner does with an advertisement and its scan response.
  ///
  /// Newer structures replace older ones of the same type in their place, so that hearing the same packets again changes
  /// nothing. Service data counts as the same if it is of the same service, manufacturer data if it is of the same
  /// company. Beyond ``extendedCapacity`` bytes the older structures are let go, so that no device can make it grow.
  public mutating func merge(_ newer: AdvertisingData) {
    var waiting: [MergeKey: [ADStructure]] = [:]
    var order: [MergeKey] = []
    for structure in newer.structures {
      let key = structure.mergeKey
      if waiting[key] == nil { order.append(key) }
      waiting[key, default: []].append(structure)
    }
    let replaced = Set(order)

    var merged: [ADStructure] = []
    merged.reserveCapacity(structures.count + newer.structures.count)
    for structure in structures {
      let key = structure.mergeKey
      if let fresh = waiting.removeValue(forKey: key) {
        merged += fresh
      } else if !replaced.contains(key) {
        merged.append(structure)
      }
    }
    for key in order { merged += waiting[key] ?? [] }

    structures = merged
    problem = newer.problem ?? problem
    if encodedCount > Self.extendedCapacity {
      structures.removeAll { !replaced.contains($0.mergeKey) }
    }
  }

  /// This data with what the same device said later; see ``merge(_:)``.
  public func merging(_ newer: AdvertisingData) -> AdvertisingData {
    var result = self
    result.merge(newer)
    return result
  }
}

/// What a newer structure must share with an older one to replace it: the type, and the subject where the data names one.
private struct MergeKey: Hashable {
  let type: ADType
  let subject: ArraySlice<UInt8>
}

extension ADStructure {
  fileprivate var mergeKey: MergeKey {
    let subjectCount =
      switch type {
      case .serviceData16, .manufacturerSpecificData: 2
      case .serviceData32: 4
      case .serviceData128: 16
      default: 0
      }
    return MergeKey(type: type, subject: data.prefix(subjectCount))
  }
}
