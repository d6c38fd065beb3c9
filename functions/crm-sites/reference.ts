import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const nineToFive = [{ from: '09:00', to: '17:00' }];
const openingHours = {
  monday: nineToFive,
  tuesday: nineToFive,
  wednesday: [{ from: '09:00', to: '12:00' }],
  thursday: nineToFive,
  friday: nineToFive,
  saturday: [],
  sunday: [],
};

const site = {
  siteId: '01a2021a-c101-7e0b-9c5e-2f4d3b1a6c70',
  name: 'Practice Dr. Lovelace',
  address: { street: 'Ring 1', postalCode: '1010', city: 'Wien', country: 'AT' },
  phone: '+43 1 1234567',
  timezone: 'Europe/Vienna',
  openingHours,
  holidays: ['2026-12-24'],
  status: 'open' as const,
  code: 'KD7PX4RM',
  createdAt: '2026-11-22T07:13:58.657Z',
};

const exampleSite = {
  siteId: 'example-site',
  name: 'Example sleep clinic',
  address: null,
  phone: null,
  timezone: 'Europe/Berlin',
  openingHours: null,
  holidays: null,
  status: 'open',
  code: 'TRYTHEAP',
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;

const physician = '1d1c4b4e-0f4c-4c39-8a3f-3b2f5c9d7e10';

const joined = {
  siteId: 'example-site',
  name: 'Example sleep clinic',
  timezone: 'Europe/Berlin',
  since: '2026-11-22T07:13:59.412Z',
  main: false,
};

export const reference: ReferenceTo<typeof routes> = {
  about: 'Clinics and practices, who works there, and the patients who are with them.',
  examples: {
    createSite: {
      headers: { 'idempotency-key': '7d0f6f0e-8a52-4f6e-9d5b-0c3b7f1d2a44' },
      body: {
        name: 'Practice Dr. Lovelace',
        timezone: 'Europe/Vienna',
        address: { street: 'Ring 1', postalCode: '1010', city: 'Wien', country: 'AT' },
        phone: '+43 1 1234567',
        openingHours,
        holidays: ['2026-12-24'],
      },
      answer: site,
    },
    listSites: {
      query: { limit: 20 },
      answer: { items: [site, exampleSite], metadata: { limit: 20, count: 2, hasMore: false, nextCursor: null } },
    },
    readSite: { params: { siteId: site.siteId }, answer: site },
    renewSiteCode: {
      params: { siteId: site.siteId },
      answer: { siteId: site.siteId, code: 'W3GQ9FTA' },
    },
    listSiteStaff: {
      params: { siteId: 'example-site' },
      answer: {
        items: [
          {
            siteId: 'example-site',
            userId: physician,
            name: 'Dr. Ada Example',
            since: '2026-01-01T00:00:00.000Z',
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
    putSiteStaff: {
      params: { siteId: site.siteId, userId: physician },
      body: { name: 'Dr. Ada Example' },
      answer: {
        siteId: site.siteId,
        userId: physician,
        name: 'Dr. Ada Example',
        since: '2026-11-22T07:13:59.120Z',
      },
    },
    removeSiteStaff: {
      params: { siteId: site.siteId, userId: physician },
      answer: { success: true, siteId: site.siteId, userId: physician },
    },
    joinSiteByCode: {
      body: { code: 'try-theap' },
      answer: { ...joined, missingAgreementId: 'data-sharing' },
    },
    joinSite: {
      params: { siteId: 'example-site' },
      body: { code: 'TRYTHEAP' },
      answer: { ...joined, missingAgreementId: 'data-sharing' },
    },
    listOwnSites: {
      answer: { items: [joined], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } },
    },
    chooseMainSite: {
      params: { siteId: 'example-site' },
      body: { main: true },
      answer: { ...joined, main: true },
    },
    leaveSite: { params: { siteId: site.siteId }, answer: { success: true, siteId: site.siteId } },
    updateSite: {
      params: { siteId: site.siteId },
      headers: { 'if-match': '"2"' },
      body: { status: 'closed' },
      answer: { ...site, status: 'closed' },
    },
    deleteSite: {
      params: { siteId: site.siteId },
      headers: { 'if-match': '"3"' },
      answer: { success: true, siteId: site.siteId },
    },
  },
};
