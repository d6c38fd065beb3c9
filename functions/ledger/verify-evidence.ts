import { ListObjectVersionsCommand, type ListObjectVersionsCommandOutput } from '@aws-sdk/client-s3';
import { type CompactJws, isSignedBy, type PublicJwk, readCompact } from '../../lib/runtime/jws.ts';
import { tombstoneKey } from './checkpoint.ts';
import { type Evidence, readObject } from './evidence-store.ts';
import { ownerOf } from './finding.ts';
import { type Ending, endingIn } from './tombstone.ts';

/** Public parts of the ledger's keys, by `kid`; whoever checks trusts these and no others. */
export type TrustedKeys = ReadonlyMap<string, PublicJwk>;

/** All that lies under one key, oldest version first. Object Lock keeps versions: newer ones and markers only hide them. */
export type Versions = { readonly key: string; readonly versionIds: string[]; markers: number };

/** In the keys' order. */
export async function* listVersions(evidence: Evidence, prefix: string): AsyncGenerator<Versions> {
  let current: Versions = { key: '', versionIds: [], markers: 0 };
  for await (const { key, versionId } of listEntries(evidence, prefix)) {
    if (current.key !== key) {
      if (current.key !== '') yield current;
      current = { key, versionIds: [], markers: 0 };
    }
    if (versionId === null) current.markers += 1;
    else current.versionIds.unshift(versionId);
  }
  if (current.key !== '') yield current;
}

/** Versions, and delete markers without one; newest first under each key. */
async function* listEntries({ s3, bucket }: Evidence, prefix: string) {
  let page: ListObjectVersionsCommandOutput | undefined;
  do {
    const after = page && { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
    page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, ...after }));
    const versions = (page.Versions ?? []).map(({ Key = '', VersionId = '' }) => ({ key: Key, versionId: VersionId }));
    const markers = (page.DeleteMarkers ?? []).map(({ Key = '' }) => ({ key: Key, versionId: null }));
    // S3 gives two lists, each in the keys' order.
    yield* [...versions, ...markers].toSorted((one, other) => compare(one.key, other.key));
  } while (page.IsTruncated);
}

/** @returns the version under the key that is what it should be, also where a newer one or a marker hides it; or null */
export async function findVersion(
  evidence: Evidence,
  key: string,
  accepts: (body: Buffer) => boolean,
): Promise<Buffer | null> {
  const current = await readObject(evidence, key);
  if (current && accepts(current)) return current;
  for await (const versions of listVersions(evidence, key)) {
    if (versions.key !== key) continue;
    for (const versionId of versions.versionIds) {
      const body = await readObject(evidence, key, versionId);
      if (body && accepts(body)) return body;
    }
  }
  return null;
}

/** A tombstone names every chain of its user: a hundred agreements are some twenty thousand characters. */
const longest = 1_000_000;

/** @returns the statement, if one of the trusted keys signed it as what it is taken for */
export function readSigned(text: string, typ: string, keys: TrustedKeys): CompactJws | null {
  const jws = readCompact(text, longest);
  const key = jws && keys.get(jws.kid);
  return jws && key && jws.typ === typ && isSignedBy(jws, key) ? jws : null;
}

/** @returns what a validly signed tombstone of the user says of the chain, once its release has come; or null */
export async function readEnding(
  evidence: Evidence,
  keys: TrustedKeys,
  userAgreement: string,
  now: Date,
): Promise<Ending | null> {
  const { userId, agreementId } = ownerOf(userAgreement);
  const endingOf = (body: Buffer) => {
    const signed = readSigned(body.toString('utf8'), 'ledger-tombstone+jwt', keys);
    const ending = signed && endingIn(signed.payload, userId, agreementId);
    return ending && Date.parse(ending.releasedAt) <= now.getTime() ? ending : null;
  };
  const body = await findVersion(evidence, tombstoneKey(userId), (one) => endingOf(one) !== null);
  return body && endingOf(body);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
