import { findVersion, listVersions, type Objects } from '../../../lib/runtime/objects.ts';
import { readSigned, type TrustedKeys } from '../../../lib/runtime/signed.ts';
import { begunBelow, longestTombstone, tombstoneKey, tombstoneType } from '../rules/checkpoint.ts';
import { ownerOf } from '../rules/finding.ts';
import { type DemandedEnding, type Ending, endingIn } from '../rules/tombstone.ts';

/**
 * @param keys that sign tombstones
 * @returns what a validly signed tombstone of the user says of the chain, once its release has come; or null
 */
export async function readEnding(
  evidence: Objects,
  keys: TrustedKeys,
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
  return ending && { ...ending, demandedAt: await demandedAt(evidence, userId) };
}

/** By S3's own clock, and the versions that were first: only the function that erases puts anything there. */
async function demandedAt(evidence: Objects, userId: string): Promise<string | null> {
  const times: string[] = [];
  for await (const { key, versions } of listVersions(evidence, begunBelow(userId))) {
    const [oldest] = versions;
    if (oldest && key.endsWith('.begun.json')) times.push(oldest.storedAt.toISOString());
  }
  return times.toSorted()[0] ?? null;
}
