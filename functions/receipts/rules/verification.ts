import { issuerOf, receiptType } from './receipt.ts';

/** Whether a signed text is a receipt of this environment. Pure: what is to be reckoned with keys is an argument. */

export type Refusal = 'MALFORMED' | 'WRONG_TYPE' | 'UNKNOWN_KEY' | 'BAD_SIGNATURE' | 'WRONG_ISSUER';
export type Verdict = { refusal: Refusal } | { refusal: null; record: unknown };

type Signed = { kid: string; typ: string | null; payload: Readonly<Record<string, unknown>> };

export type Checks<J, K> = {
  readonly isSignedBy: (jws: J, key: K) => boolean;
  /** A `kid` follows from its key: under another one a key was put there by somebody else. */
  readonly thumbprintOf: (key: K) => string;
};

export function judgeReceipt<J extends Signed, K extends { kid: string }>(
  jws: J | null,
  keys: readonly K[],
  environment: string,
  { isSignedBy, thumbprintOf }: Checks<J, K>,
): Verdict {
  if (!jws) return { refusal: 'MALFORMED' };
  if (jws.typ !== receiptType) return { refusal: 'WRONG_TYPE' };
  const key = keys.find(({ kid }) => kid === jws.kid);
  if (!key || thumbprintOf(key) !== key.kid) return { refusal: 'UNKNOWN_KEY' };
  if (!isSignedBy(jws, key)) return { refusal: 'BAD_SIGNATURE' };
  if (jws.payload.iss !== issuerOf(environment)) return { refusal: 'WRONG_ISSUER' };
  return { refusal: null, record: jws.payload.record };
}
