import { type CompactJws, isSignedBy, type PublicJwk, readCompact } from './jws.ts';

/** Public parts of keys, by `kid`. A check trusts these and no others. */
export type TrustedKeys = ReadonlyMap<string, PublicJwk>;

/** @returns the statement, if a trusted key signed it as this kind of statement */
export function readSigned(text: string, typ: string, keys: TrustedKeys, maxLength?: number): CompactJws | null {
  const jws = readCompact(text, maxLength);
  const key = jws && keys.get(jws.kid);
  return jws && key && jws.typ === typ && isSignedBy(jws, key) ? jws : null;
}
