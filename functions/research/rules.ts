export type { Between, Concern, ConcernOccasion, StreamChange } from './rules/concern.ts';
export { type Enrolment, isCurrent } from './rules/enrolment.ts';
export { pseudonymOf } from './rules/pseudonym.ts';
export { fewest } from './rules/study.ts';
