/** A finding about the ledger, as a value: the user, the record, and a sentence for the person who examines it. */

export type FindingKind =
  | 'record-malformed'
  | 'row-planted'
  | 'record-altered'
  | 'record-misplaced'
  | 'record-missing'
  | 'record-out-of-order'
  | 'link-broken'
  | 'record-expires'
  | 'record-backdated'
  | 'record-postdated'
  | 'import-unsigned'
  | 'import-invalid'
  | 'receipt-key-foreign'
  | 'pointer-missing'
  | 'pointer-lags'
  | 'pointer-ahead'
  | 'pointer-differs'
  | 'anchored-record-missing'
  | 'anchored-record-differs'
  | 'tombstone-contradicted'
  | 'checkpoint-invalid'
  | 'checkpoint-missing'
  | 'checkpoint-stale'
  | 'checkpoint-rewritten'
  | 'evidence-missing';

export type Finding = {
  readonly kind: FindingKind;
  /** Null if the finding is not about a chain. */
  readonly userId: string | null;
  readonly agreementId: string | null;
  readonly recordedAt: string | null;
  readonly sequence: number | null;
  readonly says: string;
};

/** A row of `ConsentRecords` as it is: an attacker may have written anything. */
export type StoredRecord = Readonly<Record<string, unknown>>;

/** The same of `ConsentStates`. */
export type StoredPointer = Readonly<Record<string, unknown>>;

/** @param record the record that the finding is about; only its place is used */
export function findingOf(
  kind: FindingKind,
  userAgreement: string,
  record: { readonly recordedAt?: unknown; readonly sequence?: unknown },
  says: string,
): Finding {
  const { recordedAt, sequence } = record;
  return {
    kind,
    ...ownerOf(userAgreement),
    recordedAt: typeof recordedAt === 'string' ? recordedAt : null,
    sequence: typeof sequence === 'number' ? sequence : null,
    says,
  };
}

/** Whether a key is made of two ids. Other keys are never looked up, because neither service accepts every text as a key. */
export function isChainName(userAgreement: string): boolean {
  return /^[\w.-]{1,64}#[\w.-]{1,64}$/.test(userAgreement);
}

/** Neither id has a `#` in it. */
export function ownerOf(userAgreement: string): { userId: string; agreementId: string } {
  const at = userAgreement.indexOf('#');
  return { userId: userAgreement.slice(0, at), agreementId: userAgreement.slice(at + 1) };
}
