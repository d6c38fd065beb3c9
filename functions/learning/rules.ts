export { unitsOf } from './rules/course.ts';
export { gateInstruments, gateProblems } from './rules/gates.ts';
export {
  type CourseProgress,
  merged,
  type QuizOutcome,
  type UnitProgress,
  unitIn,
  withUnit,
} from './rules/progress.ts';
export { isMultiple, outcomeOf } from './rules/quiz.ts';
