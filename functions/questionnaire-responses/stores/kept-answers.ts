import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { ifAbsent } from '../../../lib/runtime/conditions.ts';
import { numberIn } from '../../../lib/runtime/documents.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, put } from '../../../lib/runtime/rows.ts';
import type { Any } from '../../../lib/runtime/table-handle.ts';
import type { Completed, QuestionnaireResponses } from '../tables.ts';
import { isConfirmed } from './confirmed.ts';
import type { Guards } from './guards.ts';
import { partsOf } from './response-rows.ts';

type Image = Readonly<Record<string, unknown>>;

/** Of those who put answers back, too. */
export type KeepingGuards = Guards & {
  readonly tables: { readonly QuestionnaireResponses: QuestionnaireResponses<'put'> };
};

/**
 * Puts back what was removed: with a response's own row also those in its lists, and a row of a list only where its own row has the same
 * answers. Nothing comes back that names a correction which is not there.
 *
 * @returns false where the account is closed, or another row has its place by now: people decide which one is right
 */
export async function putBackAnswers(guards: KeepingGuards, userId: string, image: Image): Promise<boolean> {
  const { Accounts: table } = guards.tables;
  // What is put back is what was removed, whatever that was.
  const responses: Any<'get' | 'put'> = guards.tables.QuestionnaireResponses;
  const row = plainImage(image);
  if (!(await isConfirmed(guards, null, row))) return false;
  const own = String(row.part);
  const parts = own.startsWith('response#') ? [own, ...partsOf(row as unknown as Completed)] : [own];
  const isThere = async (part: string) => {
    const found = await get(responses, { userId, part });
    return found && { ...found, part: own };
  };
  const isGone = ifAbsent('userId');
  const putBack = (part: string) =>
    retryOnContention(async () => {
      const isPut = await commit([put(responses, { ...row, part }, isGone)]);
      return isPut || (await isThere(part)) !== null || contended;
    });
  try {
    // One after the other: at once they could meet in what is checked of the account.
    for (const part of new Set(parts)) await whileOpen({ table, userId }, () => putBack(part));
    return isDeepStrictEqual(await isThere(own), row);
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return false;
    throw error;
  }
}

/** As the document client reads it. */
export function plainImage(image: Image): Record<string, unknown> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainOf(value)]));
}

function plainOf(given: unknown): unknown {
  const value = given as AttributeValue;
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return numberIn(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.L !== undefined) return value.L.map(plainOf);
  if (value.M === undefined) return null;
  return plainImage(value.M);
}
