// Made by Scripts/check-examples --write.
// swift-format-ignore-file

let allExamples: [Example] = [
  READMEExamples.all,
  CodableExamples.all,
  MigratingFromSwiftyJSONExamples.all,
  ModelsExamples.all,
].flatMap { $0 }

let allConsoles: [Console] = [
  READMEExamples.consoles,
  CodableExamples.consoles,
  MigratingFromSwiftyJSONExamples.consoles,
  ModelsExamples.consoles,
].flatMap { $0 }
