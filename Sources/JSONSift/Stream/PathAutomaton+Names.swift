extension PathAutomaton {
  /// Returns the names that a state knows, in the order of `names`.
  func names(of state: Int) -> [[UInt8]] {
    let first = summaries[state].firstName
    return names[first..<(first + summaries[state].nameCount)].map { name in
      unsafe steps.withBytes { unsafe Array($0[name.firstByte..<name.end]) }
    }
  }

  /// The names that the states can know.
  var allNames: [[UInt8]] { Self.allNames(plans).map { Array($0.string.utf8) } }

  static func allNames(_ plans: [StreamPlan]) -> Set<MemberName> {
    var names: Set<MemberName> = []
    for plan in plans { for case .name(let name) in plan.steps { names.insert(name) } }
    return names
  }

  /// Returns whether the steps of a plan led to a container of the right kind for the last step.
  func reachedEnd(_ plan: Int) -> Bool {
    let steps = plans[plan].steps
    guard let last = steps.last else { return true }
    let item = Item(plan: plan, step: steps.count - 1)
    return zip(states, summaries).contains { state, summary in
      guard state.has(item) else { return false }
      switch last {
      case .name: return summary.wasObject
      case .index, .slice, .elements: return summary.wasArray
      case .wildcard: return summary.wasObject || summary.wasArray
      }
    }
  }
}

extension PathAutomaton.State {
  /// Returns whether an item is among the items, by bisection.
  fileprivate func has(_ item: PathAutomaton.Item) -> Bool {
    let index = items.indices.bisect { (items[$0].plan, items[$0].step) >= (item.plan, item.step) }
    return index < items.count && items[index] == item
  }
}
