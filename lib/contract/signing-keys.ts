import { variableOf } from './variables.ts';

/**
 * An asymmetric key, ES256, in KMS, as the domain that owns it declares it in its `signing-keys.ts`. Its signatures are
 * proof outside this system. Each kind of statement has its own key, so a function that signs receipts cannot sign a
 * checkpoint.
 */
export type SigningKey<N extends string = string> = {
  readonly name: N;
  /** `the receipts of consent records` */
  readonly signs: string;
};

/** @param name also the name of the constant; the keys' logical ids and environment variables are derived from it */
export function signingKey<const N extends string>(name: N, declaration: Omit<SigningKey, 'name'>): SigningKey<N> {
  return { name, ...declaration };
}

/** The environment variable that carries the current key's ARN: `ReceiptKey` → `RECEIPT_KEY_ARN`. */
export function signingKeyVariable(key: Pick<SigningKey, 'name'>): string {
  return variableOf(key, 'ARN');
}

/** The variable with the ARNs of its other generations, separated by commas; absent if there are none. */
export function earlierKeysVariable(key: Pick<SigningKey, 'name'>): string {
  return variableOf(key, 'EARLIER_ARNS');
}
