import { isTime } from '../../../lib/contract/instant.ts';
import { type Definition, flagsOf, scoresOf } from '../../questionnaires/rules.ts';
import { type Flag, flagIdOf, type Raised, raisedFlags } from './flag.ts';
import type { Decision } from './flag-decision.ts';
import { isId } from './flag-image.ts';
import type { CompletedResponse } from './response.ts';

/** The flags that completed answers must have, whatever the rows say that they raised. Pure. */

/** Of a response that was corrected again and again after each acknowledgement. */
export const mostFlags = 50;

/** A completion is dated when its request begins, an acknowledgement too: by clocks of other functions, and committed later. */
const skewMs = 5 * 60_000;

type Answered = CompletedResponse & { readonly recordedAt: string; readonly answersReceivedAt: string };

const ids = ['responseId', 'rootId', 'questionnaireId', 'version'];
const times = ['completedAt', 'recordedAt', 'answersReceivedAt'];

/** A row that somebody else wrote may hold anything, also what no key can have. */
export function isAnswered(row: unknown): row is Answered {
  const { status, answers, ...more } = (row ?? {}) as Record<string, unknown>;
  const isReadable = ids.every((name) => isId(more[name])) && times.every((name) => isTime(more[name]));
  return status === 'completed' && Array.isArray(answers) && isReadable;
}

/** @returns null for answers that no rule can read */
export function derivedFlags(userId: string, response: Answered, definition: Definition): Raised[] | null {
  try {
    const flags = flagsOf(definition, response.answers, scoresOf(definition, response.answers));
    return raisedFlags(userId, { ...response, flags });
  } catch {
    return null;
  }
}

/** A flag that answers can have raised. */
export type Candidate = { readonly flag: Flag; readonly isInTime: boolean };
type Seen = Pick<Decision, 'at'> | null;

/**
 * The flag that these answers can have raised under this id; null where they raise none that can have it.
 *
 * @returns `before`: the flag of a chain of corrections whose acknowledgement it follows; null: it is the first
 */
export function flagOf({ rootId, ...raised }: Raised, flagId: string): { flag: Flag; before: string | null } | null {
  const { userId, code } = raised;
  for (let count = 0; count < mostFlags; count += 1) {
    if (flagIdOf({ userId, rootId, code }, count) !== flagId) continue;
    const before = count === 0 ? null : flagIdOf({ userId, rootId, code }, count - 1);
    return { flag: { flagId, ...raised }, before };
  }
  return null;
}

/** @param seen the acknowledgement of the flag before; null: nobody has */
export function isAfter({ raisedAt }: Pick<Raised, 'raisedAt'>, seen: Seen): boolean {
  return seen !== null && Date.parse(raisedAt) >= Date.parse(seen.at);
}

/** Whether a flag of the chain stands for these answers, too: nobody had acknowledged it before them. @param seen its acknowledgement */
export function standsFor({ raisedAt }: Raised, seen: Seen): boolean {
  return seen === null || Date.parse(seen.at) + skewMs >= Date.parse(raisedAt);
}

/** Of those under one id, the first in time. Only by clocks of several functions can there be none in time: then the first. */
export function firstOf(candidates: readonly Candidate[]): Flag | null {
  const inTime = candidates.filter(({ isInTime }) => isInTime);
  const flags = (inTime.length > 0 ? inTime : candidates).map(({ flag }) => flag);
  return flags.toSorted((one, other) => (one.raisedAt < other.raisedAt ? -1 : 1))[0] ?? null;
}
