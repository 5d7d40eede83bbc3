// Controllers and links are numbered as they are made, so an array that they are put at the end of stays in the order of
// their names, and the few that there are at a time are found faster than by hashing.
extension Array where Element: Identifiable, Element.ID: Comparable {
  /// Where the element of that name stands in an array that is in the order of the names; `nil` if there is none.
  @inline(__always)
  func index(of id: Element.ID) -> Int? {
    let count = count
    if count > 0, self[0].id == id { return 0 }
    if count > 1, self[1].id == id { return 1 }
    return count > 2 ? search(for: id) : nil
  }

  private func search(for id: Element.ID) -> Int? {
    var (low, high) = (2, count)
    while low < high {
      let middle = (low &+ high) / 2
      if self[middle].id < id { low = middle &+ 1 } else { high = middle }
    }
    return low < count && self[low].id == id ? low : nil
  }
}
