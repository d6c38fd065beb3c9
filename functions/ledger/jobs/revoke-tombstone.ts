import type { KMSClient } from '@aws-sdk/client-kms';
import { findVersion, type Objects, putOnce } from '../../../lib/runtime/objects.ts';
import { signCompact } from '../../../lib/runtime/sign.ts';
import { tombstoneKey, tombstoneRevocationsBelow, tombstoneRevocationType } from '../../evidence/rules.ts';
import { digestOf } from '../rules/checkpoint.ts';

export type RevokingTombstone = {
  readonly evidence: Objects;
  readonly kms: KMSClient;
  /** `ImportKey`, with the operator's own credentials. */
  readonly keyArn: string;
  readonly environment: string;
  readonly userId: string;
  /** SHA-256 (hex) of the stored tombstone. */
  readonly tombstone: string;
  readonly by: string;
  /** The reference of a case. */
  readonly reason: string;
  readonly now: Date;
};

/**
 * States that a tombstone is void. Nobody can remove the tombstone or this statement.
 *
 * @throws an Error in one sentence if the user has no such tombstone, or if it is already revoked
 */
export async function revokeTombstone(revoking: RevokingTombstone): Promise<void> {
  const { evidence, kms, keyArn, environment, userId, tombstone, by, reason, now } = revoking;
  const isIt = (body: Buffer) => digestOf(body.toString('utf8')) === tombstone;
  if (!(await findVersion(evidence, tombstoneKey(userId), isIt))) throw new Error(`${userId} has no such tombstone`);
  const said = { environment, userId, tombstone, by, reason, at: now.toISOString() };
  const jws = await signCompact(kms, keyArn, said, tombstoneRevocationType);
  const key = `${tombstoneRevocationsBelow(userId)}${tombstone}.jws`;
  if (!(await putOnce(evidence, key, jws, 'application/jose'))) throw new Error('it is revoked already');
}
