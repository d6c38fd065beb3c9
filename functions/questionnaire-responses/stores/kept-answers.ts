import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { numberIn } from '../../../lib/runtime/documents.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { isAnswered } from '../rules/derived-flags.ts';
import { isConfirmed } from './confirmed.ts';
import type { Guards } from './guards.ts';
import { type Completed, partsOf } from './response-rows.ts';

type Image = Readonly<Record<string, unknown>>;

/**
 * Puts back what was removed: with a response's own row also those in its lists, and a row of a list only where its own row has the same
 * answers. So what somebody planted stays away once people remove it.
 *
 * @returns false where the account is closed, or another row has its place by now: people decide which one is right
 */
export async function putBackAnswers(guards: Guards, userId: string, image: Image): Promise<boolean> {
  const { client, tables } = guards;
  const { QuestionnaireResponses: TableName, Accounts: table } = tables;
  const Item = plainImage(image);
  const isOwn = String(Item.part).startsWith('response#');
  if (!isOwn && !(await isConfirmed(guards, null, Item))) return false;
  const parts = isOwn && isAnswered(Item) ? partsOf(Item as unknown as Completed) : [String(Item.part)];
  const isGone = { ConditionExpression: 'attribute_not_exists(userId)' };
  const put = (part: string) => commit(client, [{ Put: { TableName, Item: { ...Item, part }, ...isGone } }]);
  try {
    const [isBack] = await whileOpen({ table, userId }, () => Promise.all(parts.map(put)));
    return isBack === true;
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
