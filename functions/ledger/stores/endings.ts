import { findVersion, type Objects } from '../../../lib/runtime/objects.ts';
import { readSigned, type TrustedKeys } from '../../../lib/runtime/signed.ts';
import { begunAtOf } from '../../erasure/exports.ts';
import { longestTombstone, tombstoneKey, tombstoneType } from '../rules/checkpoint.ts';
import { ownerOf } from '../rules/finding.ts';
import { type DemandedEnding, type Ending, endingIn } from '../rules/tombstone.ts';

/**
 * @param keys that sign tombstones
 * @param graceMs between a request and the beginning of its erasure, by S3
 * @returns what a validly signed tombstone of the user says of the chain, once its release has come; or null
 */
export async function readEnding(
  evidence: Objects,
  { keys, graceMs }: { readonly keys: TrustedKeys; readonly graceMs: number },
  userAgreement: string,
  now: Date,
): Promise<DemandedEnding | null> {
  const { userId, agreementId } = ownerOf(userAgreement);
  const endingOf = (body: Buffer): Ending | null => {
    const signed = readSigned(body.toString('utf8'), tombstoneType, keys, longestTombstone);
    const ending = signed && endingIn(signed.payload, userId, agreementId);
    return ending && Date.parse(ending.releasedAt) <= now.getTime() ? ending : null;
  };
  const body = await findVersion(evidence, tombstoneKey(userId), (one) => endingOf(one) !== null);
  const ending = body && endingOf(body);
  if (!ending) return null;
  const demandedAt = await begunAtOf(evidence, userId, graceMs);
  return { ...ending, demandedAt: demandedAt?.toISOString() ?? null };
}
