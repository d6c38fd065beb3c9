import { nameBasedId } from '../../questionnaires/rules.ts';
import type { flagOutcomes } from '../schemas.ts';
import type { CompletedResponse, Response } from './response.ts';

/** A flag: an answer that a person must look at. Pure. It names the answers only by ids. */

export type FlagOutcome = (typeof flagOutcomes)[number];

/** Not the schema's list: with it zod would be in the bundles of those who only read flags. */
const outcomes: Readonly<Record<FlagOutcome, true>> = { cleared: true, referred: true, 'not-reached': true };

/** Whoever may write a row may write another value. */
export function isOutcome(value: unknown): value is FlagOutcome {
  return typeof value === 'string' && Object.hasOwn(outcomes, value);
}

export type Flag = {
  readonly flagId: string;
  readonly code: string;
  readonly userId: string;
  readonly responseId: string;
  readonly questionnaireId: string;
  readonly raisedAt: string;
  /** When the patient wrote the answers, and when they arrived. */
  readonly recordedAt: string;
  readonly receivedAt: string;
  readonly acknowledgedAt: string | null;
  readonly acknowledgedBy: string | null;
  /** Null until somebody has recorded it. */
  readonly outcome: FlagOutcome | null;
  readonly endedAt: string | null;
  readonly endedBy: string | null;
};

/** The key of a row; a row under a user has nothing else. */
export type FlagRowKey = { readonly part: string; readonly name: string };
export type FlagRow = FlagRowKey & Flag;

/** What an outcome does to a flag: a flag that was cleared stays cleared, and only `cleared` can follow another outcome. */
export function outcomeOn({ outcome }: Pick<Flag, 'outcome'>, next: FlagOutcome): 'recorded' | 'same' | 'refused' {
  if (outcome === next) return 'same';
  return outcome === null || (outcome !== 'cleared' && next === 'cleared') ? 'recorded' : 'refused';
}

/** Identifies a flag: the first response of a chain of corrections, and the code. */
export type FlagKey = Pick<Flag, 'userId' | 'code'> & Pick<Response, 'rootId'>;

/**
 * The id follows from the chain of corrections and the code, so that no flag is raised twice, even after a crash.
 *
 * @param acknowledged how many flags of this chain and code were acknowledged: a later one is a new flag
 */
export function flagIdOf({ userId, rootId, code }: FlagKey, acknowledged: number): string {
  return nameBasedId('flag', userId, rootId, code, ...(acknowledged === 0 ? [] : [String(acknowledged)]));
}

/** The urgent ticket of a flag: however often its record is delivered, it is one ticket. */
export function urgentTicketId({ responseId, flagId }: Pick<Flag, 'responseId' | 'flagId'>): string {
  return nameBasedId('urgent-ticket', responseId, flagId);
}

export type Raised = Omit<Flag, 'flagId'> & FlagKey;

/** The times of a response's answers. */
type Times = { readonly recordedAt: string; readonly answersReceivedAt: string };

export function raisedFlags(userId: string, response: CompletedResponse & Times): Raised[] {
  const { responseId, rootId, questionnaireId, completedAt, recordedAt, answersReceivedAt } = response;
  return response.flags.map((code) => ({
    rootId,
    code,
    userId,
    responseId,
    questionnaireId,
    raisedAt: completedAt,
    recordedAt,
    receivedAt: answersReceivedAt,
    acknowledgedAt: null,
    acknowledgedBy: null,
    outcome: null,
    endedAt: null,
    endedBy: null,
  }));
}
