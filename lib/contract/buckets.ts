/** The buckets that functions reach. Both are versioned and under Object Lock: what is in them is evidence. */

export const buckets = {
  /** The exact texts of agreement versions; those of published ones are under a legal hold. */
  AgreementContents: { isUploadedTo: true },
  /** Checkpoints of the consent ledger, under compliance retention. */
  Evidence: { isUploadedTo: false },
} as const satisfies Record<string, { /** Browsers and tools post files to it. */ readonly isUploadedTo: boolean }>;

export type BucketName = keyof typeof buckets;

/**
 * To a whole bucket: `upload` (signs POST requests with which others put objects), `publish` (reads objects and puts them
 * under a legal hold) or `read` (reads objects). To what is below a prefix, since a bucket holds the evidence of several
 * domains: `log` (puts objects where there are none, and reads nothing) or `append` (that, and reads and lists all
 * versions).
 */
export type BucketAccess = 'upload' | 'publish' | 'read' | Readonly<Record<Prefix, PrefixAccess>>;
export type PrefixAccess = 'log' | 'append';
type Prefix = `${string}/`;

/** The environment variable that carries a bucket's name: `AgreementContents` → `AGREEMENT_CONTENTS_BUCKET`. */
export function bucketVariable(name: BucketName): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_BUCKET`;
}
