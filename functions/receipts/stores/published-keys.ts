import { listVersions, type Objects, putOnce, readObject } from '../../../lib/runtime/objects.ts';
import { readSigned, type TrustedKeys } from '../../../lib/runtime/signed.ts';
import { keysPrefix, revocationsPrefix } from '../buckets.ts';
import {
  isStatementOf,
  keyType,
  type PublicJwk,
  revocationIn,
  revocationType,
  type VouchedKey,
} from '../rules/key-statement.ts';

/**
 * The keys that sign receipts, or did. A key is ours if KMS has it under a name that a deployment gave it, and if a
 * statement about it is in the bucket of evidence. Nobody can remove or hide a statement or a revocation, because all
 * versions are read.
 */

export type KeyTrust = {
  readonly environment: string;
  /** The keys that KMS has for receipts, as the deployment says. */
  readonly receiptKeys: TrustedKeys;
  readonly vouchingKeys: TrustedKeys;
  readonly revocationKeys: TrustedKeys;
};

export const keyObject = (kid: string) => `${keysPrefix}${kid}.jws`;
export const revocationObject = (kid: string, at: string) => `${revocationsOf(kid)}${at}.jws`;
const revocationsOf = (kid: string) => `${revocationsPrefix}${kid}/`;

/** In the order in which they were made. */
export async function readKeys(evidence: Objects, trust: KeyTrust): Promise<VouchedKey[]> {
  const keys = [...trust.receiptKeys.values()].map(async (jwk) => {
    const [isOurs, revokedAt] = await Promise.all([
      isVouched(evidence, trust, jwk),
      readRevocation(evidence, trust, jwk),
    ]);
    return isOurs ? [{ ...jwk, revokedAt }] : [];
  });
  return (await Promise.all(keys)).flat();
}

export async function isVouched(evidence: Objects, trust: KeyTrust, jwk: PublicJwk): Promise<boolean> {
  const { environment, vouchingKeys } = trust;
  for await (const text of textsAt(evidence, keyObject(jwk.kid))) {
    if (isStatementOf(readSigned(text, keyType, vouchingKeys)?.payload ?? null, environment, jwk)) return true;
  }
  return false;
}

/** @returns since when: the earliest time of all signed revocations; null if there is none */
async function readRevocation(
  evidence: Objects,
  { environment, revocationKeys }: KeyTrust,
  { kid }: PublicJwk,
): Promise<string | null> {
  const said: string[] = [];
  for await (const { key, versions } of listVersions(evidence, revocationsOf(kid))) {
    for (const { id } of versions) {
      const text = await textOf(evidence, key, id);
      const revocation = readSigned(text, revocationType, revocationKeys)?.payload ?? null;
      said.push(...[revocationIn(revocation, environment, kid)].filter((at) => at !== null));
    }
  }
  return said.toSorted()[0] ?? null;
}

/** @returns false if an object already exists; it stays */
export function putStatement(evidence: Objects, key: string, statement: string): Promise<boolean> {
  return putOnce(evidence, key, statement, 'application/jose');
}

/** Every version under exactly this key, the oldest first. */
async function* textsAt(evidence: Objects, wanted: string): AsyncGenerator<string> {
  for await (const { key, versions } of listVersions(evidence, wanted)) {
    // Only the first key with this prefix; other objects that somebody put there are not read.
    if (key !== wanted) return;
    for (const { id } of versions) yield await textOf(evidence, key, id);
    return;
  }
}

async function textOf(evidence: Objects, key: string, versionId: string): Promise<string> {
  return (await readObject(evidence, key, { versionId }))?.toString('utf8') ?? '';
}

/** Objects among the keys and revocations that are not ours, or that have no valid signature. */
export type ForeignObject = { readonly key: string; readonly storedAt: Date; readonly says: string };

/** @param asksKms false if KMS is not asked which keys it has */
export async function* findForeign(evidence: Objects, trust: KeyTrust, asksKms = true): AsyncGenerator<ForeignObject> {
  const { environment, receiptKeys, vouchingKeys, revocationKeys } = trust;
  for await (const { key, versions } of listVersions(evidence, keysPrefix)) {
    for (const { id, storedAt } of versions) {
      const said = readSigned(await textOf(evidence, key, id), keyType, vouchingKeys)?.payload ?? null;
      const kid = String(said?.kid);
      const jwk = Object(said?.jwk) as PublicJwk;
      const known = receiptKeys.get(kid);
      const isOne = key === keyObject(kid) && isStatementOf(said, environment, { ...jwk, kid });
      if (!isOne)
        yield {
          key,
          storedAt,
          says: 'it is not a statement about a key of this name that the vouching key has signed',
        };
      else if (asksKms && !(known && isStatementOf(said, environment, known)))
        yield { key, storedAt, says: 'the statement is signed, but KMS has no such key for receipts' };
    }
  }
  for await (const { key, versions } of listVersions(evidence, revocationsPrefix)) {
    for (const { id, storedAt } of versions) {
      const said = readSigned(await textOf(evidence, key, id), revocationType, revocationKeys)?.payload ?? null;
      const [, kid = ''] = /^[^/]+\/([^/]+)\/[^/]+$/.exec(key) ?? [];
      if (revocationIn(said, environment, kid) === null)
        yield { key, storedAt, says: 'a revocation that the revocation key has not signed' };
    }
  }
}
