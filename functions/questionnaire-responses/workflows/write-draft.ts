import { Conflict, PreconditionFailed } from '../../../lib/contract/common-errors.ts';
import type { Items } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { outcomeOf, type Stamp } from '../../../lib/runtime/last-write-wins.ts';
import { putLastWrite } from '../../../lib/runtime/last-write-wins-rows.ts';
import { readLocaleAndZone } from '../../questionnaires/exports.ts';
import {
  QuestionnaireAnswered,
  QuestionnaireResponseCompleted,
  QuestionnaireResponseDeleted,
  QuestionnaireResponseNotFound,
} from '../errors.ts';
import { type Draft, draftOf, type Frame, fingerprintOf, tombstoneOf } from '../rules/response.ts';
import { dropClaim, putClaim, readClaim } from '../stores/occurrence-claims.ts';
import { dropListedDraft, putListedDraft, responseHandle } from '../stores/response-rows.ts';
import type { QuestionnaireResponses, ResponseRow } from '../tables.ts';
import {
  assertFits,
  assertInWindow,
  assertUnlocked,
  type DefinitionTables,
  definitionOf,
  type ResponseDependencies,
} from './dependencies.ts';
import { findOccurrences, type Scheduled } from './find-occurrence.ts';

/** Drafts. Several phones can write and delete them, some of them while offline. */

type Sent = { readonly recordedAt: string | null; readonly ifMatch: string | undefined };

export type SentDraft = Draft &
  Sent & { readonly responseId: string; readonly questionnaireId: string; readonly bundleId: string | null };

type DraftTables = {
  readonly QuestionnaireResponses: QuestionnaireResponses<'get' | 'put' | 'remove'>;
};

type Drafting = Scheduled & { readonly tables: DraftTables & DefinitionTables };

type Written = ResponseRow & { readonly outcome: ReturnType<typeof outcomeOf> };

/** @returns the state of the response afterwards. Throws the Failures of the route */
export async function writeDraft(deps: Drafting, sent: SentDraft): Promise<Written> {
  const { tables, userId, now } = deps;
  const { responseId, questionnaireId, version, answers, recordedAt, ifMatch } = sent;
  const [definition, granted] = await Promise.all([
    definitionOf(deps, sent),
    sent.bundleId === null ? [] : deps.entitlements(userId),
  ]);
  assertFits(definition, answers);
  const entitled = { ...deps, entitlements: async () => granted };
  const { outcome, row } = await putLastWrite<ResponseRow>(
    responseHandle(tables.QuestionnaireResponses, userId, responseId),
    {
      incoming: { statedAt: recordedAt, fingerprint: fingerprintOf(sent), isDeleted: false, ifMatch },
      now,
      rowOf: async (stamp, current) => {
        const { frame, also } = await framed(entitled, sent, stamp, current);
        const draft = draftOf(frame, { version, answers });
        const listed = putListedDraft(tables.QuestionnaireResponses, userId, { ...draft, ...stamp }, current);
        return { row: draft, also: [...also, ...listed] };
      },
    },
  );
  if (outcome === 'refused') throw new Failure(PreconditionFailed);
  if (!row) throw new Error('what was decided on is not there');
  // Checked before the questionnaire and the occurrence: the tombstone of a deletion that arrived before its draft has
  // neither.
  if (outcome === 'older' && row.isDeleted) throw new Failure(QuestionnaireResponseDeleted);
  // Checked even if nothing has to be written. Otherwise another bundle in the request would be ignored silently.
  if (row.questionnaireId !== questionnaireId || row.bundleId !== sent.bundleId) throw new Failure(Conflict);
  if (outcome === 'older' && row.status === 'completed') throw new Failure(QuestionnaireResponseCompleted);
  return { ...row, outcome: outcomeOf(outcome) };
}

const ofNoOccurrence = { occurrenceId: null, entitlementId: null, window: null };

type Framing = Scheduled & {
  readonly tables: { readonly QuestionnaireResponses: QuestionnaireResponses<'get' | 'put'> };
};

type Framed = { readonly frame: Frame; readonly also: Items };

/**
 * The first draft decides to which questionnaire and occurrence a response belongs. Each draft checks whether it is
 * still unlocked.
 */
async function framed(deps: Framing, sent: SentDraft, stamp: Stamp, current: ResponseRow | null): Promise<Framed> {
  const { tables, userId } = deps;
  const { responseId, questionnaireId, bundleId } = sent;
  const { recordedAt } = stamp;
  if (current && !current.isDeleted) {
    if (current.status === 'completed') throw new Failure(QuestionnaireResponseCompleted);
    if (current.questionnaireId !== questionnaireId || current.bundleId !== bundleId) throw new Failure(Conflict);
    const { entitlementId, window } = current;
    const [granted, localeAndZone] = await Promise.all([
      deps.entitlements(userId),
      window === null ? null : readLocaleAndZone(tables.Users, userId),
    ]);
    if (window !== null && localeAndZone !== null) assertInWindow(window, localeAndZone, recordedAt);
    assertUnlocked(current, granted.find((each) => each.entitlementId === entitlementId) ?? null, recordedAt);
    return { frame: frameOf(current), also: [] };
  }
  if (bundleId === null) return { frame: { responseId, questionnaireId, bundleId, ...ofNoOccurrence }, also: [] };
  const open = await findOccurrences(deps, { bundleId, questionnaireId, recordedAt });
  const table = tables.QuestionnaireResponses;
  const claimed = await Promise.all(
    open.map(async (occurrence) => {
      const { occurrenceId } = occurrence;
      return { occurrence, claim: await readClaim(table, { userId, occurrenceId, questionnaireId }) };
    }),
  );
  // The first occurrence that is not completed, so that all phones choose the same one. One that is always open then
  // takes the next response.
  const isLeft = ({ occurrence, claim }: (typeof claimed)[number]) =>
    occurrence.window === null || claim?.status !== 'completed';
  const chosen = claimed.find(isLeft) ?? claimed[0];
  if (!chosen) throw new Error('one of them is open');
  const { occurrenceId, entitlementId, window } = chosen.occurrence;
  const { claim } = chosen;
  const isFree = claim === null || (window === null && claim.status === 'completed');
  if (!isFree) throw new Failure(QuestionnaireAnswered, { responseId: claim.responseId });
  const frame = { responseId, questionnaireId, bundleId, occurrenceId, entitlementId, window };
  return { frame, also: putClaim(table, userId, frame, 'draft', claim) };
}

/** @returns the remaining state. Throws the Failures of the route */
export async function deleteDraft(
  { tables, userId, now }: ResponseDependencies<DraftTables>,
  { responseId, recordedAt, ifMatch }: Sent & { readonly responseId: string },
): Promise<Written> {
  const table = tables.QuestionnaireResponses;
  const { outcome, row } = await putLastWrite<ResponseRow>(responseHandle(table, userId, responseId), {
    incoming: { statedAt: recordedAt, fingerprint: '', isDeleted: true, ifMatch },
    now,
    rowOf: async (_stamp, current) => {
      if (current?.status === 'completed') throw new Failure(QuestionnaireResponseCompleted);
      // The tombstone refuses a draft that arrives later.
      const frame = current ?? { responseId, questionnaireId: '', bundleId: null, ...ofNoOccurrence };
      const isOpen = current !== null && !current.isDeleted;
      const also = isOpen ? [...dropClaim(table, userId, current), ...dropListedDraft(table, userId, current)] : [];
      return { row: tombstoneOf(frameOf(frame)), also };
    },
  });
  if (outcome === 'refused')
    throw new Failure(row && !row.isDeleted ? PreconditionFailed : QuestionnaireResponseNotFound);
  if (!row) throw new Error('what was decided on is not there');
  if (row.status === 'completed') throw new Failure(QuestionnaireResponseCompleted);
  return { ...row, outcome: outcomeOf(outcome) };
}

function frameOf({ responseId, questionnaireId, bundleId, occurrenceId, entitlementId, window }: Frame): Frame {
  return { responseId, questionnaireId, bundleId, occurrenceId, entitlementId, window };
}
