import { randomBytes } from 'node:crypto';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { above, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { put } from '../../../lib/runtime/rows.ts';
import { networkOf } from '../rules/network.ts';
import type { KeptSignIn, SignIns } from '../tables.ts';

/** Table `SignIns`. */

const keptDays = 90;
const dayMs = 86_400_000;

type SignedIn = Pick<KeptSignIn, 'userId' | 'application' | 'isNewDevice'> & {
  readonly sourceIp: string;
  readonly now: Date;
};

/** @throws what DynamoDB throws, and a Failure `UNAVAILABLE` where it is too busy */
export async function keepSignIn(
  table: SignIns<'put'>,
  { userId, application, isNewDevice, sourceIp, now }: SignedIn,
): Promise<void> {
  const signIn: KeptSignIn = {
    userId,
    signInId: `${idAt(now)}.${randomBytes(8).toString('hex')}`,
    at: now.toISOString(),
    application,
    network: networkOf(sourceIp),
    isNewDevice,
    expiresAt: Math.ceil((now.getTime() + keptDays * dayMs) / 1000),
  };
  if (!(await commit([put(table, signIn)]))) throw new Failure(Unavailable);
}

/**
 * A page of a user's sign-ins of the last 90 days, newest first, strongly consistent. DynamoDB deletes a row days after its end.
 *
 * @param after the `signInId` that the previous page ended with
 */
export async function readSignIns(
  table: SignIns<'query'>,
  userId: string,
  { limit, after, now }: { limit: number; after: string | null; now: Date },
): Promise<{ signIns: KeptSignIn[]; next: string | null }> {
  const query = {
    ...inPartition({ userId }, { signInId: above(idAt(new Date(now.getTime() - keptDays * dayMs))) }, after),
    ScanIndexForward: false,
  };
  const { rows: signIns, next } = await queryPage(table, query, limit);
  return { signIns, next };
}

function idAt(time: Date): string {
  return time.toISOString().replace(/[-:]/g, '');
}
