import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const terms = {
  kind: 'clinic',
  programmeId: 'insomnia-basic',
  grantsDays: 90,
} as const;

const batch = {
  batchId: '01a2021a-e6b1-777e-909d-1e50ae284575',
  count: 2,
  ...terms,
  redeemBy: '2098-12-31T23:59:59.000Z',
  siteId: null,
  studyId: null,
  createdAt: '2026-11-22T07:14:07.153Z',
};

/** The seed's. */
const seeded = {
  batchId: '019b76da-a800-7000-8000-000000000000',
  count: 32,
  ...terms,
  redeemBy: '2099-12-31T23:59:59.000Z',
  siteId: null,
  studyId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};

const state = { status: 'issued', revokedAt: null, entitlementsEndedAt: null } as const;
const counts = { issued: 2, redeemed: 0, expired: 0, revoked: 0 };
const first = '3b1c6f0e.xR7pQ2mVw9sKd4LzYt0bNf5HcJ8gUeAoXi6TrBnEMCk';
const ofSeed = '3b1c6f0e.9cVkT3uYp8LrWz1QhD6mXo5NsJ7bGfEaIi2BtRnCMUw';

const entitlement = {
  entitlementId: '01a2021b-0c3d-7a4e-8f5b-6c7d8e9fa0b1',
  programmeId: 'insomnia-basic',
  startsAt: '2026-11-22T07:14:09.117Z',
  endsAt: '2027-02-20T07:14:09.117Z',
  status: 'active',
} as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'Codes that unlock a therapy: issued by staff, redeemed by patients.',
  examples: {
    issueAccessCodes: {
      headers: { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' },
      body: { count: 2, ...terms, redeemBy: '2098-12-31T23:59:59Z' },
      answer: {
        ...batch,
        codes: [
          { accessCodeId: first, code: 'XSAHJ4KQ7RT2WZ5N' },
          { accessCodeId: ofSeed.replace('9c', '7d'), code: 'XSAB3MN6PD5VYC7K' },
        ],
      },
    },
    listAccessCodeBatches: {
      query: { limit: 20 },
      answer: {
        items: [
          { ...batch, ...state, counts },
          { ...seeded, ...state, counts: { ...counts, issued: 32 } },
        ],
        metadata: { limit: 20, count: 2, hasMore: false, nextCursor: null },
      },
    },
    readAccessCodeBatch: {
      params: { batchId: batch.batchId },
      answer: { ...batch, ...state, counts },
    },
    validateAccessCode: {
      body: { code: 'xsad evel oper aaaq' },
      answer: { valid: true, reason: null, programmeId: 'insomnia-basic', grantsDays: 90 },
    },
    redeemAccessCode: {
      body: { code: 'XSAD-EVEL-OPER-AAAQ' },
      answer: { ...entitlement, missingAgreementId: null },
    },
    listEntitlements: {
      query: { limit: 20 },
      answer: { items: [entitlement], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } },
    },
    lookUpAccessCode: {
      body: { code: 'XSADEVELOPERAAAQ' },
      answer: { accessCodeId: ofSeed, batchId: seeded.batchId, status: 'redeemed' },
    },
    revokeAccessCode: {
      params: { accessCodeId: first },
      body: {},
      answer: { accessCodeId: first, batchId: batch.batchId, status: 'revoked' },
    },
    revokeAccessCodeBatch: {
      params: { batchId: batch.batchId },
      body: { endEntitlements: true },
      answer: {
        ...batch,
        status: 'revoked',
        revokedAt: '2026-11-22T07:14:11.204Z',
        entitlementsEndedAt: '2026-11-22T07:14:11.204Z',
        counts: { issued: 0, redeemed: 0, expired: 0, revoked: 2 },
      },
    },
  },
};
