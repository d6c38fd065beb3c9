import { Conflict, PreconditionFailed } from '../../../lib/contract/common-errors.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { names, type Stamp } from '../../../lib/runtime/last-write-wins.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { readLocaleAndZone } from '../../questionnaires/exports.ts';
import type { Users } from '../../users/tables.ts';
import {
  QuestionnaireResponseAmended,
  QuestionnaireResponseNotCompleted,
  QuestionnaireResponseNotFound,
} from '../errors.ts';
import { raisedFlags } from '../rules/flag.ts';
import { amendment, completed, type Draft, fingerprintOf, type Response } from '../rules/response.ts';
import type { EntitlementFinder } from '../stores/entitlements.ts';
import { raise } from '../stores/flag-rows.ts';
import { putClaim, readClaim } from '../stores/occurrence-claims.ts';
import { dropListedDraft, putCompleted, readResponse } from '../stores/response-rows.ts';
import type { Completed, QuestionnaireFlags, QuestionnaireResponses, ResponseRow } from '../tables.ts';
import {
  assertComplete,
  assertFits,
  assertInWindow,
  assertUnlocked,
  type DefinitionTables,
  definitionOf,
  type ResponseDependencies,
} from './dependencies.ts';

/** A response becomes final, with its scores, its place in the lists and its flags: all in one transaction, or nothing. */

export type Amending = ResponseDependencies<
  DefinitionTables & {
    readonly QuestionnaireResponses: QuestionnaireResponses<'get' | 'put'>;
    readonly QuestionnaireFlags: QuestionnaireFlags<'get' | 'put' | 'check'>;
  }
>;

export type Completing = Amending & {
  readonly tables: {
    readonly QuestionnaireResponses: QuestionnaireResponses<'remove'>;
    readonly Users: Users<'get'>;
  };
  readonly entitlement: EntitlementFinder;
};

type Sent = {
  readonly responseId: string;
  readonly recordedAt: string | null;
  /** The header of the request: the state that the app has seen. */
  readonly ifMatch: string | undefined;
};

/** @returns the completed response, even if it was completed before. Throws the Failures of the route */
export async function completeResponse(deps: Completing, sent: Sent, options?: RetryOptions): Promise<ResponseRow> {
  const { tables, userId, now } = deps;
  return retryOnContention(async () => {
    const draft = await readResponse(tables.QuestionnaireResponses, { userId, responseId: sent.responseId });
    if (!draft || draft.isDeleted) throw new Failure(QuestionnaireResponseNotFound);
    if (draft.status === 'completed') return draft;
    assertSeen(sent, draft);
    const stated = recordedBy(sent, now);
    // A response cannot be completed before it was written.
    const recordedAt = stated > draft.recordedAt ? stated : draft.recordedAt;
    const [definition] = await Promise.all([definitionOf(deps, draft), assertOpen(deps, draft, recordedAt)]);
    assertComplete(definition, draft.answers);
    const stamp = { updatedAt: now.toISOString(), revision: draft.revision + 1 };
    const row = { ...draft, ...completed(draft, definition, now), ...stamp, answersReceivedAt: draft.updatedAt };
    const table = tables.QuestionnaireResponses;
    const moved = [...putCompleted(table, userId, row, draft), ...dropListedDraft(table, userId, draft)];
    const items = [...moved, ...(await alsoOf(deps, row))];
    return (await commit(items)) ? row : contended;
  }, options);
}

type SentCorrection = Omit<Draft & Sent, 'version'> & { readonly amends: string };

/** @returns the correction, even if it was made before. Throws the Failures of the route */
export async function amendResponse(
  deps: Amending,
  sent: SentCorrection,
  options?: RetryOptions,
): Promise<ResponseRow> {
  const { tables, userId, now } = deps;
  const { responseId, amends, answers } = sent;
  const table = tables.QuestionnaireResponses;
  return retryOnContention(async () => {
    const earlier = await readResponse(table, { userId, responseId: amends });
    if (!earlier || earlier.isDeleted) throw new Failure(QuestionnaireResponseNotFound);
    if (earlier.status === 'draft') throw new Failure(QuestionnaireResponseNotCompleted);
    const draft = { version: earlier.version, answers };
    const fingerprint = fingerprintOf(draft);
    const other = await readResponse(table, { userId, responseId });
    if (other?.amends === amends && other.fingerprint === fingerprint) return other;
    if (earlier.amendedBy !== null) throw new Failure(QuestionnaireResponseAmended, { amendedBy: earlier.amendedBy });
    if (other) throw new Failure(Conflict);
    assertSeen(sent, earlier);
    const definition = await definitionOf(deps, earlier);
    assertFits(definition, answers);
    assertComplete(definition, answers);
    const row = {
      ...amendment(earlier, responseId, draft, definition, now),
      ...firstStamp(sent, fingerprint, now),
      answersReceivedAt: now.toISOString(),
    };
    const corrected = { responseId, scores: row.scores };
    const isFirst = earlier.amends === null;
    const root = isFirst ? null : await readResponse(table, { userId, responseId: earlier.rootId });
    if (root?.status === 'draft') throw new Error('a draft has no correction');
    const named = { ...earlier, amendedBy: responseId, revision: earlier.revision + 1, ...(isFirst && { corrected }) };
    const items = [
      ...putCompleted(table, userId, row, null),
      ...putCompleted(table, userId, named, earlier),
      ...(root ? putCompleted(table, userId, { ...root, corrected, revision: root.revision + 1 }, root) : []),
      ...(await alsoOf(deps, row)),
    ];
    return (await commit(items)) ? row : contended;
  }, options);
}

/** The occurrence gets its response, and flags are raised. */
async function alsoOf({ tables, userId }: Amending, row: Completed): Promise<Items> {
  const { occurrenceId, questionnaireId } = row;
  const flags = await raise(tables.QuestionnaireFlags, raisedFlags(userId, row));
  if (occurrenceId === null) return flags;
  const table = tables.QuestionnaireResponses;
  const claim = await readClaim(table, { userId, occurrenceId, questionnaireId });
  // An occurrence that is always open may have another response by now. A correction does not replace that one.
  const isOurs = claim === null || claim.responseId === row.responseId || claim.responseId === row.amends;
  return isOurs ? [...putClaim(table, userId, row, 'completed', claim), ...flags] : flags;
}

/**
 * @throws a Failure `QUESTIONNAIRE_NOT_DUE` if its window has ended at the patient's place, or its entitlement has
 * ended
 */
async function assertOpen(
  { tables, userId, entitlement }: Completing,
  { window, entitlementId }: Response,
  recordedAt: string,
) {
  if (window === null) return;
  const [localeAndZone, granted] = await Promise.all([
    readLocaleAndZone(tables.Users, userId),
    entitlementId === null ? null : entitlement(userId, entitlementId),
  ]);
  assertUnlocked({ entitlementId }, granted, recordedAt);
  assertInWindow(window, localeAndZone, recordedAt);
}

/** @throws a Failure `PRECONDITION_FAILED` if the app has seen another state */
function assertSeen({ ifMatch }: Pick<Sent, 'ifMatch'>, current: ResponseRow): void {
  if (ifMatch !== undefined && !names(ifMatch, current)) throw new Failure(PreconditionFailed);
}

function recordedBy({ recordedAt }: Pick<Sent, 'recordedAt'>, now: Date): string {
  const arrived = now.toISOString();
  return recordedAt !== null && recordedAt < arrived ? recordedAt : arrived;
}

function firstStamp(sent: Pick<Sent, 'recordedAt'>, fingerprint: string, now: Date): Stamp {
  return {
    recordedAt: recordedBy(sent, now),
    statedAt: sent.recordedAt,
    updatedAt: now.toISOString(),
    replacedAt: null,
    revision: 1,
    fingerprint,
    isDeleted: false,
  };
}
