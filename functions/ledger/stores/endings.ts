import { findVersion, listVersions, type Objects, readObject } from '../../../lib/runtime/objects.ts';
import { readSigned, type TrustedKeys } from '../../../lib/runtime/signed.ts';
import { begunAtOf } from '../../erasure/exports.ts';
import {
  longestTombstone,
  tombstoneKey,
  tombstoneRevocationsBelow,
  tombstoneRevocationType,
  tombstoneType,
} from '../../evidence/rules.ts';
import { digestOf } from '../rules/checkpoint.ts';
import { isChainName, ownerOf } from '../rules/finding.ts';
import { type DemandedEnding, type Ending, endingIn } from '../rules/tombstone.ts';

type Trust = {
  /** The keys that sign tombstones. */
  readonly keys: TrustedKeys;
  /** The keys of operators, who declare tombstones void. */
  readonly operatorKeys: TrustedKeys;
  /** The time between a request and the beginning of its erasure, by S3. */
  readonly graceMs: number;
};

/** @returns what a validly signed tombstone of the user says about the chain, if the time of its release has come; or null */
export async function readEnding(
  evidence: Objects,
  { keys, operatorKeys, graceMs }: Trust,
  userAgreement: string,
  now: Date,
): Promise<DemandedEnding | null> {
  // A text that is not an id has no tombstone, and S3 does not accept keys of any length.
  if (!isChainName(userAgreement)) return null;
  const { userId, agreementId } = ownerOf(userAgreement);
  const revoked = await readRevoked(evidence, operatorKeys, userId);
  const endingOf = (body: Buffer): Ending | null => {
    const text = body.toString('utf8');
    if (revoked.has(digestOf(text))) return null;
    const signed = readSigned(text, tombstoneType, keys, longestTombstone);
    const ending = signed && endingIn(signed.payload, userId, agreementId);
    return ending && Date.parse(ending.releasedAt) <= now.getTime() ? ending : null;
  };
  const body = await findVersion(evidence, tombstoneKey(userId), (one) => endingOf(one) !== null);
  const ending = body && endingOf(body);
  if (!ending) return null;
  const demandedAt = await begunAtOf(evidence, userId, graceMs);
  return { ...ending, demandedAt: demandedAt?.toISOString() ?? null };
}

/** The digests of the tombstones that operators revoked. */
async function readRevoked(evidence: Objects, keys: TrustedKeys, userId: string): Promise<ReadonlySet<string>> {
  const revoked = new Set<string>();
  for await (const { key, versions } of listVersions(evidence, tombstoneRevocationsBelow(userId))) {
    for (const { id } of versions) {
      const text = (await readObject(evidence, key, { versionId: id }))?.toString('utf8') ?? '';
      const said = readSigned(text, tombstoneRevocationType, keys)?.payload;
      if (said?.userId === userId && typeof said.tombstone === 'string') revoked.add(said.tombstone);
    }
  }
  return revoked;
}
