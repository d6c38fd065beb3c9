import { type CompactJws, isSignedBy, type PublicJwk, readCompact } from './jws.ts';

/** Public parts of keys, by `kid`; whoever checks trusts these and no others. */
export type TrustedKeys = ReadonlyMap<string, PublicJwk>;

/** @returns the statement, if one of the trusted keys signed it as what it is taken for */
export function readSigned(text: string, typ: string, keys: TrustedKeys, maxLength?: number): CompactJws | null {
  const jws = readCompact(text, maxLength);
  const key = jws && keys.get(jws.kid);
  return jws && key && jws.typ === typ && isSignedBy(jws, key) ? jws : null;
}
