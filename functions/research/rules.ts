export { type Between, type Concern, type ConcernOccasion, isTellable, type StreamChange } from './rules/concern.ts';
export { type Enrolment, isCurrent } from './rules/enrolment.ts';
export { pseudonymOf } from './rules/pseudonym.ts';
export { fewest } from './rules/study.ts';
