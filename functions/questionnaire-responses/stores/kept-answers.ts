import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { numberIn } from '../../../lib/runtime/documents.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import type { Guards } from './guards.ts';

type Image = Readonly<Record<string, unknown>>;

/** @returns false where the account is closed, or another row has its place by now: people decide which one is right */
export async function putBackAnswers({ client, tables }: Guards, userId: string, image: Image): Promise<boolean> {
  const { QuestionnaireResponses: TableName, Accounts: table } = tables;
  const Item = Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainOf(value)]));
  const isGone = { ConditionExpression: 'attribute_not_exists(userId)' };
  try {
    return await whileOpen({ table, userId }, () => commit(client, [{ Put: { TableName, Item, ...isGone } }]));
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return false;
    throw error;
  }
}

/** As the document client reads it. */
function plainOf(given: unknown): unknown {
  const value = given as AttributeValue;
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return numberIn(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.L !== undefined) return value.L.map(plainOf);
  if (value.M === undefined) return null;
  return Object.fromEntries(Object.entries(value.M).map(([name, each]) => [name, plainOf(each)]));
}
