export type { Between, Concern, ConcernOccasion, StreamChange } from './rules/concern.ts';
export { type Enrolment, isCurrent } from './rules/enrolment.ts';
export { pseudonymOf } from './rules/pseudonym.ts';
export { fewest, type Study } from './rules/study.ts';
