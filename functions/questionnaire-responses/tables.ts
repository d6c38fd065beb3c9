import { table } from '../../lib/contract/tables.ts';
import type { Stamp } from '../../lib/runtime/last-write-wins.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { Claim } from './rules/due-bundles.ts';
import type { FlagRow, FlagRowKey } from './rules/flag.ts';
import type { Decision } from './rules/flag-decision.ts';
import type { PositionRow, Reminded, SentRow } from './rules/reminder.ts';
import type { CompletedResponse, Response } from './rules/response.ts';
import type { Corrected } from './rules/score-series.ts';

/** A draft, or the tombstone of one. */
export type DraftRow = Response & Stamp & { readonly status: 'draft' };

/** A completed response never changes, except for the id of its correction: then all its rows are written again. */
export type Completed = CompletedResponse &
  Stamp & {
    /** When its answers arrived, as `updatedAt` of its last draft had it. */
    readonly answersReceivedAt: string;
    /** Of a response that was corrected, and is no correction itself: the last of its corrections. */
    readonly corrected?: Corrected;
  };

export type ResponseRow = DraftRow | Completed;

type ResponsesRow = { readonly userId: string; readonly part: string } & (
  | ResponseRow
  | Claim
  | SentRow
  | Reminded
  | PositionRow
);

/**
 * A user's responses. `response#<id>` is a response. A completed response also has `at#<time>#<id>` and
 * `of#<questionnaire>#<time>#<id>`, for the lists; a draft has `draft#<time>#<id>`. `occurrence#<id>#<questionnaire>` says which response an occurrence
 * has. `reminder#sent` says of which occurrences the user was reminded lately, `reminder#<id>#start` that the user was reminded of one.
 * Under a key of no user stands where the last run of the reminders stopped.
 */
export const QuestionnaireResponses = table<ResponsesRow>()('QuestionnaireResponses', {
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
export const QuestionnaireFlags = table<FlagRow | FlagRowKey>()('QuestionnaireFlags', {
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

type EvidenceRow = {
  readonly userId: string;
  readonly change: string;
  readonly at: string;
  readonly table: string;
  readonly suspicion: string;
  /** JSON; null: there was no row. */
  readonly before: string | null;
  readonly after: string | null;
};

/** Rows of the other tables as they were before and after a change that nobody may make. Only the watchers write here. */
export const QuestionnaireEvidence = table<EvidenceRow>()('QuestionnaireEvidence', {
  partitionKey: 'userId',
  sortKey: 'change',
});
export type QuestionnaireEvidence<A extends Action> = Handle<typeof QuestionnaireEvidence, A>;
