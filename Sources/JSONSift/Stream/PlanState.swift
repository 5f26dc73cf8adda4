/// The state of one plan in a ``PathMatcher``. Plain data.
struct PlanState: BitwiseCopyable {
  /// Whether the plan has a tail: one segment or more that is evaluated on the values that the steps lead to.
  let hasTail: Bool
  /// The number of levels from a match up to the node among whose children the descendant step has selected; 0 without a
  /// descendant step.
  let levelsUp: Int
  /// Whether the descendant step selects members of objects.
  private let selectsMembers: Bool
  /// Whether the descendant step selects elements of arrays.
  private let selectsElements: Bool

  /// The number of its matches so far.
  var matchCount = 0
  /// The number of open containers among whose children the descendant step can select.
  var openNodes = 0
  /// The offset of the outermost of these containers.
  var outermostNode = 0
  /// The number of candidates that are being recorded.
  var openCandidates = 0
  /// The end of the last outermost candidate: a candidate that begins before it is nested.
  var coveredUntil = 0
  /// Whether a container in which the last segment of the tail can select has occurred.
  var reachedInTail = false
  /// Whether nothing more can match. Initially true for a plan that is not definite: its answer is not counted, because
  /// reading cannot stop early then.
  var isAnswered: Bool

  init(_ plan: StreamPlan) {
    hasTail = !plan.tail.isEmpty
    levelsUp = plan.descendant.map { plan.steps.count - $0 } ?? 0
    switch plan.descendant.map({ plan.steps[$0] }) {
    case .name: (selectsMembers, selectsElements) = (true, false)
    case .index, .slice, .elements: (selectsMembers, selectsElements) = (false, true)
    case .wildcard: (selectsMembers, selectsElements) = (true, true)
    case nil: (selectsMembers, selectsElements) = (false, false)
    }
    isAnswered = !plan.isDefinite
  }

  func selectsAmongChildren(of level: PathCursor.Level) -> Bool { level.isObject ? selectsMembers : selectsElements }
}
