import { variableOf } from './variables.ts';

/**
 * An S3 bucket that functions reach, as the domain that owns it declares it in its `buckets.ts`. It holds evidence, or
 * objects that are kept for some days.
 */
export type Bucket<N extends string = string> = { readonly name: N } & (OfEvidence | Passing);

/** Versioned and under Object Lock. */
type OfEvidence = {
  /**
   * What protects an object from deletion: the environment's `retention`, from the moment at which it is put, or a
   * `legal-hold`, which a function places.
   */
  readonly lock: 'retention' | 'legal-hold';
  /** Browsers and tools post files to it. */
  readonly isUploadedTo?: true;
  readonly expiresAfterDays?: never;
};

/** Without versions: a deleted object cannot be restored. */
type Passing = {
  /** S3 deletes objects after so many days, at the following midnight. */
  readonly expiresAfterDays: number;
  readonly lock?: never;
  readonly isUploadedTo?: never;
};

/** @param name also the name of the constant; the bucket's logical id and environment variable are derived from it */
export function bucket<const N extends string, const D extends OfEvidence | Passing>(
  name: N,
  declaration: D,
): { readonly name: N } & D {
  return { name, ...declaration };
}

/** The environment variable that carries a bucket's name: `AgreementContents` → `AGREEMENT_CONTENTS_BUCKET`. */
export function bucketVariable(bucket: Pick<Bucket, 'name'>): string {
  return variableOf(bucket, 'BUCKET');
}
