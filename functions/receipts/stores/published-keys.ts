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
import { manifestType, receiptType, type SignedType } from '../rules/signed-types.ts';

/**
 * The keys that sign receipts or manifests, or did. A key is ours if KMS has it under a name that a deployment gave it, and if a
 * statement about it is in the bucket of evidence. Nobody can remove or hide a statement or a revocation, because all
 * versions are read.
 */

export type KeyTrust = {
  readonly environment: string;
  /** The keys that KMS has for receipts, as the deployment says. */
  readonly receiptKeys: TrustedKeys;
  /** The same for manifests; empty where nobody asks for them. */
  readonly manifestKeys: TrustedKeys;
  readonly vouchingKeys: TrustedKeys;
  readonly revocationKeys: TrustedKeys;
};

export const keyObject = (kid: string) => `${keysPrefix}${kid}.jws`;
export const revocationObject = (kid: string, at: string) => `${revocationsOf(kid)}${at}.jws`;
const revocationsOf = (kid: string) => `${revocationsPrefix}${kid}/`;

const keysOf = ({ receiptKeys, manifestKeys }: KeyTrust) =>
  [
    [receiptType, receiptKeys],
    [manifestType, manifestKeys],
  ] as const satisfies [SignedType, TrustedKeys][];

/** The keys of receipts in the order in which they were made, then those of manifests. */
export async function readKeys(evidence: Objects, trust: KeyTrust): Promise<VouchedKey[]> {
  const known = keysOf(trust).flatMap(([signs, keys]) => [...keys.values()].map((jwk) => ({ signs, jwk })));
  const keys = known.map(async ({ signs, jwk }) => {
    const [isOurs, revokedAt] = await Promise.all([
      isVouched(evidence, trust, jwk, signs),
      readRevocation(evidence, trust, jwk),
    ]);
    return isOurs ? [{ ...jwk, signs, revokedAt }] : [];
  });
  return (await Promise.all(keys)).flat();
}

type Vouchers = Pick<KeyTrust, 'environment' | 'vouchingKeys'>;

export async function isVouched(
  evidence: Objects,
  { environment, vouchingKeys }: Vouchers,
  jwk: PublicJwk,
  signs: SignedType,
): Promise<boolean> {
  for await (const text of textsAt(evidence, keyObject(jwk.kid))) {
    if (isStatementOf(readSigned(text, keyType, vouchingKeys)?.payload ?? null, environment, jwk, signs)) return true;
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
  const { environment, vouchingKeys, revocationKeys } = trust;
  for await (const { key, versions } of listVersions(evidence, keysPrefix)) {
    for (const { id, storedAt } of versions) {
      const said = readSigned(await textOf(evidence, key, id), keyType, vouchingKeys)?.payload ?? null;
      const kid = String(said?.kid);
      const jwk = Object(said?.jwk) as PublicJwk;
      const isAbout = (one: PublicJwk, signs: SignedType) => isStatementOf(said, environment, one, signs);
      const isOne = key === keyObject(kid) && keysOf(trust).some(([signs]) => isAbout({ ...jwk, kid }, signs));
      const isInKms = keysOf(trust).some(([signs, keys]) => {
        const known = keys.get(kid);
        return known !== undefined && isAbout(known, signs);
      });
      if (!isOne)
        yield {
          key,
          storedAt,
          says: 'it is not a statement about a key of this name that the vouching key has signed',
        };
      else if (asksKms && !isInKms)
        yield { key, storedAt, says: 'the statement is signed, but KMS has no such key for receipts or manifests' };
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
