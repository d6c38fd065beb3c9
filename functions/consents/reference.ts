import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const record = {
  userId: '95f807be-bb56-4119-899f-ee487ecfa121',
  agreementId: 'marketing',
  recordedAt: '2026-11-22T07:14:03.538Z',
  sequence: 1,
  recordId: '16974e69-85d4-4551-9f13-d3167dd64c91',
  action: 'agreed',
  versionId: 'marketing-1.0',
  contentHash: '5e49eb57392cfee6fa0ab8d23350de8e68ae324b176c9014ceff95d059ba3559',
  locale: 'en',
  localeSource: 'stated',
  appVersion: '2.1.0',
  requestId: '_Snsk05kCyBpPMg=',
  source: 'user',
  previousHash: null,
  hash: 'dfd23e125a4badd400a3335fee54895deaf85662991da20c0a9014f53c9bf01f',
} as const;
const state = {
  userId: record.userId,
  agreementId: record.agreementId,
  at: '2026-11-22T07:14:06.373Z',
  agreed: true,
  record,
  endedAt: null,
};

type Seeded = { agreementId: string; isRequired: boolean; title: string; contentHash: string };

/** An agreement of the seed, as a user sees it who has answered nothing yet. */
function notAgreed({ agreementId, isRequired, title, contentHash }: Seeded) {
  return {
    agreementId,
    versionId: `${agreementId}-1.0`,
    isRequired,
    agreed: false,
    isAgreeable: true,
    title,
    contentUrl: `https://content.example.com/sleepcare/${agreementId}/1.0/en.md`,
    contentHash,
    locale: 'en',
    effectiveFrom: '2026-01-01T00:00:00.000Z',
    agreedVersionId: null,
    agreedAt: null,
    revokedAt: null,
    endedAt: null,
    reconsentRequired: false,
  };
}

export const reference: ReferenceTo<typeof routes> = {
  about: 'What a user is asked to agree to, the consents and their history.',
  examples: {
    listAgreements: {
      query: { locale: 'en' },
      answer: {
        items: [
          notAgreed({
            agreementId: 'terms-of-service',
            isRequired: true,
            title: 'Terms of service',
            contentHash: '973518cc50673d9198689602548fef156a3550d31c15a7d7c14d5252efd2b9a1',
          }),
          notAgreed({
            agreementId: 'privacy-policy',
            isRequired: true,
            title: 'Privacy policy',
            contentHash: 'a92464a024db13e0598190adb6bf580990e5d73587c7ab6d2654b88a2e7bec7c',
          }),
          notAgreed({
            agreementId: 'marketing',
            isRequired: false,
            title: 'News about the app',
            contentHash: '5e49eb57392cfee6fa0ab8d23350de8e68ae324b176c9014ceff95d059ba3559',
          }),
          notAgreed({
            agreementId: 'research-data',
            isRequired: false,
            title: 'Use of your sleep data for research',
            contentHash: '0c019f076be6ad15021175ae89e612f805a3d7eea715fb5f1d9f09de1c2de3f9',
          }),
          notAgreed({
            agreementId: 'data-sharing',
            isRequired: false,
            title: 'Share your data with your care team',
            contentHash: '763126ece094803a8fde3beebfd37b492c423131dfda7e95981eb3d712ec6c54',
          }),
        ],
        metadata: { limit: 100, count: 5, hasMore: false, nextCursor: null },
      },
    },
    revokeConsent: {
      params: { agreementId: 'marketing' },
      answer: { success: true, agreementId: 'marketing', agreed: false, revokedAt: '2026-11-22T07:14:02.632Z' },
    },
    agree: {
      params: { versionId: 'marketing-1.0' },
      body: { locale: 'en', appVersion: '2.1.0' },
      answer: {
        success: true,
        agreementId: 'marketing',
        versionId: 'marketing-1.0',
        agreed: true,
        agreedAt: '2026-11-22T07:14:03.538Z',
      },
    },
    agreeToVersions: {
      body: {
        versionIds: ['terms-of-service-1.0', 'privacy-policy-1.0', 'data-sharing-1.0', 'research-data-1.0'],
        locale: 'en',
        appVersion: '2.1.0',
      },
      answer: {
        success: true,
        consents: [
          {
            agreementId: 'terms-of-service',
            versionId: 'terms-of-service-1.0',
            agreed: true,
            agreedAt: '2026-11-22T07:14:03.738Z',
          },
          {
            agreementId: 'privacy-policy',
            versionId: 'privacy-policy-1.0',
            agreed: true,
            agreedAt: '2026-11-22T07:14:03.738Z',
          },
          {
            agreementId: 'data-sharing',
            versionId: 'data-sharing-1.0',
            agreed: true,
            agreedAt: '2026-11-22T07:14:03.738Z',
          },
          {
            agreementId: 'research-data',
            versionId: 'research-data-1.0',
            agreed: true,
            agreedAt: '2026-11-22T07:14:03.738Z',
          },
        ],
      },
    },
    listConsentRecords: {
      params: { agreementId: 'marketing' },
      query: { limit: 20 },
      answer: { items: [record], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null, ends: [] } },
    },
    readOwnConsentState: {
      params: { agreementId: 'marketing' },
      answer: state,
    },
    readConsentState: {
      params: { userId: record.userId, agreementId: record.agreementId },
      answer: state,
    },
  },
};
