/// Five fields of a record that has forty.
struct WorkerNarrow: Decodable {
  var f03: Int, f11: String, f20: Double, f29: Bool, f37: Int
}
