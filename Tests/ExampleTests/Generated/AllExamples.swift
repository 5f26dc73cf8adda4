// Made by Scripts/check-examples --write.
// swift-format-ignore-file

let allExamples: [Example] = [
  READMEExamples.all,
  CodableExamples.all,
  MigratingFromSwiftyJSONExamples.all,
  ModelsExamples.all,
  GuideJSONSiftExamples.all,
  GuideCodableExamples.all,
  GuideErrorsAndLimitsExamples.all,
  GuideGettingStartedExamples.all,
  GuideModelsExamples.all,
  GuideMovingFromSwiftyJSONExamples.all,
  GuidePathsExamples.all,
  GuidePerformanceExamples.all,
  GuideReadingHugeFilesExamples.all,
  GuideRecordsExamples.all,
].flatMap { $0 }

let allConsoles: [Console] = [
  READMEExamples.consoles,
  CodableExamples.consoles,
  MigratingFromSwiftyJSONExamples.consoles,
  ModelsExamples.consoles,
  GuideJSONSiftExamples.consoles,
  GuideCodableExamples.consoles,
  GuideErrorsAndLimitsExamples.consoles,
  GuideGettingStartedExamples.consoles,
  GuideModelsExamples.consoles,
  GuideMovingFromSwiftyJSONExamples.consoles,
  GuidePathsExamples.consoles,
  GuidePerformanceExamples.consoles,
  GuideReadingHugeFilesExamples.consoles,
  GuideRecordsExamples.consoles,
].flatMap { $0 }
