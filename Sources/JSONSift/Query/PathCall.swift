/// A call of a function, with arguments of the types that the function takes.
///
/// A class: evaluating a filter copies one reference, not the description of the function.
final class PathCall: Sendable {
  let function: PathFunction
  /// One argument for each parameter of the function, of the parameter's kind.
  let arguments: [PathArgument]
  /// The evaluation of ``function``, stored here so that a filter does not copy the whole function for each value.
  let evaluation: PathFunction.Evaluation

  init(_ function: PathFunction, _ arguments: [PathArgument]) {
    self.function = function
    self.arguments = arguments
    evaluation = function.evaluation
  }
}

extension PathCall: Hashable {
  static func == (left: PathCall, right: PathCall) -> Bool {
    left.function.name == right.function.name && left.arguments == right.arguments
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(function.name)
    hasher.combine(arguments)
  }
}

enum PathArgument: Sendable, Hashable {
  case value(PathComparable)
  case nodes(PathQuery)
}
