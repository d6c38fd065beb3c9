import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Refusal, SignIn } from '../rules/sign-in.ts';
import { forgetTries, giveBackTry, type Tried, takeSignInTry } from '../stores/sign-in-tries.ts';

export type Locked = { readonly outcome: 'locked'; readonly lockedUntil: string };

type Counted = Tried & { readonly dynamo: DynamoDBDocumentClient; readonly table: string };

/**
 * One try of an account's password or second factor from an address. It counts as failed while it is under way; what the user
 * pool did not answer is given back.
 */
export async function tryCounted(
  { dynamo, table, ...tried }: Counted,
  ask: () => Promise<SignIn | Refusal>,
): Promise<SignIn | Refusal | Locked> {
  const lockedUntil = await takeSignInTry(dynamo, table, tried, new Date());
  if (lockedUntil !== null) return { outcome: 'locked', lockedUntil };
  let said: SignIn | Refusal;
  try {
    said = await ask();
  } catch (error) {
    await giveBackTry(dynamo, table, tried).catch(() => undefined);
    throw error;
  }
  if (said.outcome !== 'refused' && said.outcome !== 'wrong-code') await forgetTries(dynamo, table, tried);
  return said;
}
