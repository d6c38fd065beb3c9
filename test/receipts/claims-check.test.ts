import { expect, test } from 'vitest';
import { differingClaims } from '../../functions/receipts/rules/claims-check.ts';
import { claimsOf, type ReceiptClaims } from '../../functions/receipts/rules/receipt.ts';
import { historyOf } from '../ledger/histories.ts';

const [record, revocation] = historyOf(2);
if (!record || !revocation) throw new Error('two records were asked for');
const content = { title: 'News', contentUrl: 'https://example.com/news' };
const now = new Date(Date.parse(record.recordedAt) + 3_600_000);
const known = { environment: 'dev', application: 'sleepcare', content, now, movedClock: false };
const at = { environment: 'dev', application: 'sleepcare', issuedAt: now, content };
const claims = claimsOf(record, at);

type Change = (claims: ReceiptClaims) => object;
const inConsent =
  (change: object): Change =>
  ({ consent, ...rest }) => ({ ...rest, consent: { ...consent, ...change } });
const inNotice =
  (change: object): Change =>
  (all) =>
    inConsent({ privacyNotice: { ...all.consent.privacyNotice, ...change } })(all);

test('what is signed of a record is what ledger and catalogue say', () => {
  expect(differingClaims(claims, record, known)).toEqual([]);
  const withoutText = claimsOf(record, { ...at, content: null });
  // The catalogue learnt of the version later.
  expect(differingClaims(withoutText, record, known)).toEqual([]);
  expect(differingClaims(withoutText, record, { ...known, content: null, application: null })).toEqual([]);
  expect(differingClaims(claims, record, { ...known, content: undefined, application: null })).toEqual([]);
});

test.each<[string[], Change]>([
  [['iss'], (all) => ({ ...all, iss: 'mobile-health-prod' })],
  [['sub'], (all) => ({ ...all, sub: 'another' })],
  [['jti'], (all) => ({ ...all, jti: 'another' })],
  [['iat'], (all) => ({ ...all, iat: Math.floor(Date.parse(record.recordedAt) / 1000) - 3600 })],
  [['iat'], (all) => ({ ...all, iat: now.getTime() / 1000 + 3600 })],
  [['iat'], (all) => ({ ...all, iat: 1.5 })],
  [['iat'], (all) => ({ ...all, iat: String(all.iat) })],
  [['exp'], (all) => ({ ...all, exp: 4_000_000_000 })],
  [['record.locale'], (all) => ({ ...all, record: { ...all.record, locale: 'fr' } })],
  [['record.expiresAt'], (all) => ({ ...all, record: { ...all.record, expiresAt: 5 } })],
  [['consent.schemaVersion'], inConsent({ schemaVersion: '2' })],
  [['consent.receiptId'], inConsent({ receiptId: 'another' })],
  [['consent.piiPrincipalId'], inConsent({ piiPrincipalId: 'another' })],
  [['consent.language'], inConsent({ language: 'fr' })],
  [['consent.collectionMethod'], inConsent({ collectionMethod: 'on paper' })],
  [['consent.service'], inConsent({ service: 'medinfo' })],
  [['consent.purpose'], inConsent({ purpose: 'research-data' })],
  [['consent.lawfulBasis'], inConsent({ lawfulBasis: 'contract' })],
  [['consent.recipients'], inConsent({ recipients: ['everybody'] })],
  [['consent.privacyNotice.hash'], inNotice({ hash: 'f'.repeat(64) })],
  [['consent.privacyNotice.version'], inNotice({ version: 'marketing-9.9' })],
  [['consent.privacyNotice.title'], inNotice({ title: 'Nothing' })],
  [['consent.privacyNotice.url'], inNotice({ url: 'https://example.org' })],
  [['consent.privacyNotice.title'], inNotice({ title: null })],
  [
    ['consent.event.state', 'consent.event.time'],
    ({ consent, ...all }) => ({
      ...all,
      consent: { ...consent, event: { ...consent.event, state: 'withdrawn', time: now.toISOString() } },
    }),
  ],
  // A claim whose name looks like the path of another hides nothing.
  [
    ['"consent.event.state"', 'consent.event.state'],
    ({ consent, ...all }) => ({
      ...all,
      consent: { ...consent, event: { ...consent.event, state: 'withdrawn' } },
      'consent.event.state': 'given',
    }),
  ],
  [
    ['consent."event.state"', 'consent.event.state'],
    ({ consent, ...all }) => ({
      ...all,
      consent: { ...consent, event: { ...consent.event, state: 'withdrawn' }, 'event.state': 'given' },
    }),
  ],
  [
    ['"record.locale"', 'record.locale'],
    (all) => ({ ...all, record: { ...all.record, locale: 'fr' }, 'record.locale': all.record.locale }),
  ],
  [['""'], (all) => ({ ...all, '': 1 })],
  [['"consent.event"'], (all) => ({ ...all, 'consent.event': {} })],
])('%j differs', (differs, change) => {
  expect(differingClaims(JSON.parse(JSON.stringify(change(claims))), record, known)).toEqual(differs);
});

test("another record's claims, and none", () => {
  expect(differingClaims(claimsOf(revocation, at), record, known)).toContain('consent.event.state');
  expect(differingClaims({}, record, known)).toContain('consent.privacyNotice.hash');
  expect(differingClaims({ consent: null, record: [] }, record, known)).toContain('sub');
});

test('a text that the catalogue does not have is no text', () => {
  const found = differingClaims(claims, record, { ...known, content: null });
  expect(found).toEqual(['consent.privacyNotice.title', 'consent.privacyNotice.url']);
});

test('the name of no application is a difference, too', () => {
  const strange = inConsent({ service: 'elsewhere' })(claims) as Readonly<Record<string, unknown>>;
  expect(differingClaims(strange, record, { ...known, application: null })).toEqual(['consent.service']);
});
