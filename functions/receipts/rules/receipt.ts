import type { SignedRecord } from '../routes.ts';

/**
 * The content of a receipt (docs/receipts.md has the fields' origin): the claims of RFC 7519, the record as it is in
 * the ledger, and the fields that ISO/IEC TS 27560:2023 and the Kantara Consent Receipt 1.1 require.
 */

export function issuerOf(environment: string): string {
  return `mobile-health-${environment}`;
}

export type ReceiptClaims = {
  iss: string;
  sub: string;
  jti: string;
  /** Seconds since 1970, real time. */
  iat: number;
  record: SignedRecord;
  consent: {
    schemaVersion: string;
    receiptId: string;
    piiPrincipalId: string;
    language: string;
    collectionMethod: string;
    service: string;
    purpose: string;
    lawfulBasis: 'consent';
    privacyNotice: { title: string | null; url: string | null; hash: string; version: string };
    event: { time: string; type: 'explicit'; state: 'given' | 'withdrawn' };
  };
};

type Circumstances = {
  environment: string;
  application: string;
  issuedAt: Date;
  /** What the record's version says in the record's language; null where the catalogue has neither any more. */
  content: { title: string; contentUrl: string } | null;
};

export function claimsOf(record: SignedRecord, at: Circumstances): ReceiptClaims {
  const { environment, application, issuedAt, content } = at;
  return {
    iss: issuerOf(environment),
    sub: record.userId,
    jti: record.recordId,
    iat: Math.floor(issuedAt.getTime() / 1000),
    record,
    consent: {
      schemaVersion: 'ISO/IEC TS 27560:2023; mobile-health 1',
      receiptId: record.recordId,
      piiPrincipalId: record.userId,
      language: record.locale,
      collectionMethod: record.source === 'imported' ? 'imported from an earlier system' : 'mobile application',
      service: application,
      purpose: record.agreementId,
      lawfulBasis: 'consent',
      privacyNotice: {
        title: content?.title ?? null,
        url: content?.contentUrl ?? null,
        hash: record.contentHash,
        version: record.versionId,
      },
      event: {
        time: record.recordedAt,
        type: 'explicit',
        state: record.action === 'agreed' ? 'given' : 'withdrawn',
      },
    },
  };
}
