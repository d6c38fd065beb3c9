export { answerProblems, missingAnswers, type Problem } from './rules/answers.ts';
export {
  type Bundle,
  type Entitlement,
  isAnchoredAtWindow,
  isOver,
  isReminderDay,
  mayRemind,
  mayRemindOfRun,
  type Occurrence,
  occurrencesOf,
  openOccurrences,
  type Progress,
  placeOf,
  remindingDays,
  type Status,
  statusOf,
  statusOfPart,
} from './rules/bundle.ts';
export { unmetConstraints } from './rules/constraints.ts';
export { staleContacts } from './rules/crisis-contacts.ts';
export { type CrisisHelp, crisisHelp, type LocaleAndZone } from './rules/crisis-help.ts';
export { type Answer, type Definition, type Item, isGiven, type Texts } from './rules/definition.ts';
export { enabledAnswers } from './rules/enabled-items.ts';
export {
  canonicalUrl,
  type Extension,
  fhirBase,
  fhirId,
  fhirTime,
  fhirType,
  idOfUrl,
  nested,
  urls,
} from './rules/fhir.ts';
export { extensionOf, type Node, nodeOf, nodesOf, textOf } from './rules/fhir-node.ts';
export { addDays, dayMs, defaultZone, localDate, localTime, type Moment, momentIn } from './rules/local-date.ts';
export { nameBasedId } from './rules/name-based-id.ts';
export { flagsOf, type ScoreResult, scoresOf, shownScores } from './rules/scoring.ts';
export { endOfRun, type Run } from './rules/window-run.ts';
export { isWordingNeeded, languagesWithoutWording } from './rules/wording.ts';
