// Controllers and links are numbered as they are made, so an array that they are put at the end of stays in the order of
// their names, and the few that there are at a time are found faster than by hashing.
extension Array where Element: Identifiable, Element.ID: Comparable {
  /// Where the element of that name stands in an array that is in the order of the names; `nil` if there is none.
  func index(of id: Element.ID) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) / 2
      if self[middle].id < id { low = middle &+ 1 } else { high = middle }
    }
    return low < count && self[low].id == id ? low : nil
  }
}
