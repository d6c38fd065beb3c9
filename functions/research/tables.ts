import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { Code, Enrolment } from './rules/enrolment.ts';
import type { StudyKey } from './rules/pseudonym.ts';
import type { CounterShard, StudyRow } from './rules/study.ts';

/**
 * Under `study` each study by its `studyId`, which increases with time; under `door#<studyId>` what a join depends on, in sixteen
 * rows: the state, the current code, and how many participants came in by it.
 */
export const Studies = table<StudyRow | CounterShard>()('Studies', {
  partitionKey: 'kind',
  sortKey: 'studyKey',
  // Whoever joins or leaves changes a number, and not what a study collects.
  adjustable: ['participants', 'state', 'codeId'],
});
export type Studies<A extends Action> = Handle<typeof Studies, A>;

/** Which study a code is of, by the keyed hash of the code: the code itself is nowhere. */
export const StudyCodes = table<Code>()('StudyCodes', { partitionKey: 'codeId' });
export type StudyCodes<A extends Action> = Handle<typeof StudyCodes, A>;

/** What the pseudonyms of a study are made with. The creation of the study makes it, and only an export reads it. */
export const StudyKeys = table<StudyKey>()('StudyKeys', { partitionKey: 'studyId' });
export type StudyKeys<A extends Action> = Handle<typeof StudyKeys, A>;

/** The participants of a study, also those who left. */
export const Enrolments = table<Enrolment>()('Enrolments', {
  partitionKey: 'studyId',
  sortKey: 'userId',
  stream: true,
});
export type Enrolments<A extends Action> = Handle<typeof Enrolments, A>;

/** `Enrolments` the other way round: a user's studies. Both have the same rows and change in one transaction. */
export const UserEnrolments = table<Enrolment>()('UserEnrolments', { partitionKey: 'userId', sortKey: 'studyId' });
export type UserEnrolments<A extends Action> = Handle<typeof UserEnrolments, A>;
