import { findVersion, type Objects } from '../../../lib/runtime/objects.ts';
import { readSigned, type TrustedKeys } from '../../../lib/runtime/signed.ts';
import { longestTombstone, tombstoneKey, tombstoneType } from '../rules/checkpoint.ts';
import { ownerOf } from '../rules/finding.ts';
import { type Ending, endingIn } from '../rules/tombstone.ts';

/** @returns what a validly signed tombstone of the user says of the chain, once its release has come; or null */
export async function readEnding(
  evidence: Objects,
  keys: TrustedKeys,
  userAgreement: string,
  now: Date,
): Promise<Ending | null> {
  const { userId, agreementId } = ownerOf(userAgreement);
  const endingOf = (body: Buffer) => {
    const signed = readSigned(body.toString('utf8'), tombstoneType, keys, longestTombstone);
    const ending = signed && endingIn(signed.payload, userId, agreementId);
    return ending && Date.parse(ending.releasedAt) <= now.getTime() ? ending : null;
  };
  const body = await findVersion(evidence, tombstoneKey(userId), (one) => endingOf(one) !== null);
  return body && endingOf(body);
}
