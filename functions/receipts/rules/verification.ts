import { hashOf } from '../../consents/rules.ts';
import { issuerOf } from './receipt.ts';
import { receiptType, type SignedType } from './signed-types.ts';

/** Whether a signed text is of this environment. Pure: the check of the signature is an argument. */

export type Refusal =
  | 'MALFORMED'
  | 'WRONG_TYPE'
  | 'UNKNOWN_KEY'
  | 'BAD_SIGNATURE'
  | 'WRONG_ISSUER'
  | 'WRONG_HASH'
  | 'NOT_IN_LEDGER'
  | 'CLAIMS_DIFFER';
/** Those that say whether the service signed the text at all. */
export type SignatureRefusal = Extract<
  Refusal,
  'MALFORMED' | 'WRONG_TYPE' | 'UNKNOWN_KEY' | 'BAD_SIGNATURE' | 'WRONG_ISSUER'
>;
export type Verdict = { refusal: SignatureRefusal } | { refusal: null; claims: Claims; revokedAt: string | null };

type Claims = Readonly<Record<string, unknown>>;
type Signed = { kid: string; typ: string | null; payload: Claims };

export type Checks<J, K> = {
  readonly isSignedBy: (jws: J, key: K) => boolean;
  /** A `kid` is computed from its key: a key under another `kid` was put there by somebody else. */
  readonly thumbprintOf: (key: K) => string;
};

type Known = { kid: string; signs: string; revokedAt: string | null };

export function judgeReceipt<J extends Signed, K extends Known>(
  jws: J | null,
  keys: readonly K[],
  environment: string,
  checks: Checks<J, K>,
): Verdict {
  return judgeSigned(jws, { keys, environment, type: receiptType }, checks);
}

/** Whether a signed text is one of this environment and type. */
export function judgeSigned<J extends Signed, K extends Known>(
  jws: J | null,
  { keys, environment, type }: { readonly keys: readonly K[]; readonly environment: string; readonly type: SignedType },
  { isSignedBy, thumbprintOf }: Checks<J, K>,
): Verdict {
  if (!jws) return { refusal: 'MALFORMED' };
  if (jws.typ !== type) return { refusal: 'WRONG_TYPE' };
  const key = keys.find(({ kid, signs }) => kid === jws.kid && signs === type);
  if (!key || thumbprintOf(key) !== key.kid) return { refusal: 'UNKNOWN_KEY' };
  if (!isSignedBy(jws, key)) return { refusal: 'BAD_SIGNATURE' };
  if (jws.payload.iss !== issuerOf(environment)) return { refusal: 'WRONG_ISSUER' };
  return { refusal: null, claims: jws.payload, revokedAt: key.revokedAt };
}

export type RecordKey = { readonly userId: string; readonly agreementId: string; readonly recordedAt: string };

/**
 * @returns where the ledger should have the signed record, as the record itself says; null if it is not a record, or does
 * not match its hash
 */
export function recordKeyIn(record: unknown): (RecordKey & { readonly hash: string }) | null {
  const said = Object(record) as Partial<Record<string, unknown>>;
  const { userId, agreementId, recordedAt, hash } = said;
  if ([userId, agreementId, recordedAt, hash].some((value) => typeof value !== 'string' || value === '')) return null;
  if (hashOf(said) !== hash) return null;
  return { userId: String(userId), agreementId: String(agreementId), recordedAt: String(recordedAt), hash };
}
