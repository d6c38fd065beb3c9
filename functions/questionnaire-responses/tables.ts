import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { Decision } from './rules/flag-decision.ts';

/**
 * A user's responses. `response#<id>` is a response. A completed response also has `at#<time>#<id>` and
 * `of#<questionnaire>#<time>#<id>`, for the lists; a draft has `draft#<time>#<id>`. `occurrence#<id>#<questionnaire>` says which response an occurrence
 * has. `reminder#…` says that the user was reminded of an occurrence.
 */
export const QuestionnaireResponses = table()('QuestionnaireResponses', {
  partitionKey: 'userId',
  sortKey: 'part',
  stream: true,
});
export type QuestionnaireResponses<A extends Action> = Handle<typeof QuestionnaireResponses, A>;

/**
 * Flags: answers that a person must look at. `flag#<id>` is a flag. `open`, `acknowledged` and `ended` list the flags by
 * time. `user#<id>` lists a user's flags, and `open#<id>` those of them that are not cleared: by their ids, or as
 * `seen#<id>` after somebody has acknowledged them, as `not-reached#<id>` with that outcome.
 */
export const QuestionnaireFlags = table()('QuestionnaireFlags', {
  partitionKey: 'part',
  sortKey: 'name',
  stream: true,
});
export type QuestionnaireFlags<A extends Action> = Handle<typeof QuestionnaireFlags, A>;

/**
 * What staff decided about flags: `<flagId>#acknowledged`, `<flagId>#<outcome>`. Only the functions by which staff decide
 * write here. What other rows say of a decision is a copy for the lists: consumers believe only these rows.
 */
export const FlagDecisions = table<Decision & { readonly userId: string; readonly decision: string }>()(
  'FlagDecisions',
  { partitionKey: 'userId', sortKey: 'decision' },
);
export type FlagDecisions<A extends Action> = Handle<typeof FlagDecisions, A>;

/** Rows of the other tables as they were before and after a change that nobody may make. Only the watchers write here. */
export const QuestionnaireEvidence = table()('QuestionnaireEvidence', { partitionKey: 'userId', sortKey: 'change' });
export type QuestionnaireEvidence<A extends Action> = Handle<typeof QuestionnaireEvidence, A>;
