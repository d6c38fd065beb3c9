import type { ExportedTable } from '../../functions/analytics/views.ts';

/**
 * Rows for which the answers to all questions are known (sample-answers.ts). Every engine must give these answers: DuckDB in the tests
 * and Athena in the probe. Some rows must not be counted: corrected responses, tombstones, guards, ended accounts, rows without data.
 */
export const sampleRows: Readonly<Record<ExportedTable, readonly Readonly<Record<string, unknown>>[]>> = {
  ConsentRecords: [
    record('ann', 'research', 1, 'agreed', 'research-1', '2026-01-05T09:00:00.000Z', '2.0.0'),
    record('ann', 'research', 2, 'agreed', 'research-2', '2026-01-12T09:00:00.000Z', '2.1.0'),
    record('ben', 'research', 1, 'agreed', 'research-1', '2026-01-05T10:00:00.123Z', null),
    record('ben', 'research', 2, 'revoked', 'research-1', '2026-01-13T10:00:00.000Z', null),
    record('ben', 'research', 3, 'agreed', 'research-2', '2026-01-20T10:00:00.000Z', '2.1.0'),
    record('cem', 'research', 1, 'agreed', 'research-1', '2026-01-06T23:59:59.999Z', '2.0.0'),
    record('cem', 'terms', 1, 'agreed', 'terms-1', '2026-01-06T23:59:59.000Z', '2.0.0'),
    // Dan's account was closed on the fourteenth, which also ended his consent.
    record('dan', 'terms', 1, 'agreed', 'terms-1', '2026-01-07T08:00:00.000Z', '2.0.0'),
    // Fay took the deletion of her account back: her consent has ended, but her account is open.
    record('fay', 'terms', 1, 'agreed', 'terms-1', '2026-01-06T09:00:00.000Z', '2.0.0'),
    // The first row has expired, but DynamoDB has not deleted it yet. The second row expires in 2096.
    {
      ...record('gus', 'terms', 1, 'agreed', 'terms-1', '2020-01-06T09:00:00.000Z', '1.0.0'),
      expiresAt: 1_672_531_200,
    },
    {
      ...record('cem', 'terms', 2, 'agreed', 'terms-1', '2026-01-21T09:00:00.000Z', '2.0.0'),
      expiresAt: 4_000_000_000,
    },
    // A row that has only keys and an expiry.
    { userAgreement: 'eve#terms', recordedAt: '2026-01-01T00:00:00.000Z', expiresAt: 1 },
  ],
  Accounts: [
    { userId: 'dan', part: 'account', isClosed: true, ends: ['2026-01-14T00:00:00.000Z'] },
    { userId: 'dan', part: 'guard-00' },
    { userId: 'ann', part: 'account', isClosed: false, ends: [] },
    { userId: 'fay', part: 'account', isClosed: false, ends: ['2026-01-07T00:00:00.000Z', '2026-01-08T00:00:00.000Z'] },
  ],
  SleepEntries: [
    entry('ann', '2026-01-06', 420, 480),
    entry('ann', '2026-01-07', 400, 480),
    entry('ann', '2026-01-12', 430, 480),
    entry('ann', '2026-01-13', 430, 480),
    entry('ben', '2026-01-06', 300, 500),
    entry('cem', '2026-01-20', 310, 500),
    { ...entry('cem', '2026-01-21', 0, 0), isDeleted: true, content: null, night: null },
    entry('dan', '2026-01-08', 310, 500),
    entry('fay', '2026-01-07', 310, 500),
    entry('fay', '2026-01-14', 310, 500),
  ],
  QuestionnaireResponses: [
    ...response('ann', 'r1', 'isi', '2026-01-05T18:00:00.000Z', [['total', 20, 'moderate']]),
    ...response('ben', 'r2', 'isi', '2026-01-06T18:00:00.000Z', [['total', 16, 'moderate']], { amendedBy: 'r3' }),
    ...response('ben', 'r3', 'isi', '2026-01-06T19:00:00.000Z', [['total', 14, 'subthreshold']], { amends: 'r2' }),
    ...response('ann', 'r4', 'isi', '2026-01-19T18:00:00.000Z', [['total', 9, 'subthreshold']]),
    // Too many answers were missing, so there is no score.
    ...response('cem', 'r5', 'isi', '2026-01-19T18:00:00.000Z', [['total', null, null]]),
    { userId: 'cem', part: 'response#r6', responseId: 'r6', status: 'draft', questionnaireId: 'isi', scores: null },
    { userId: 'cem', part: 'occurrence#o1#isi', responseId: 'r5', status: 'completed' },
  ],
  AccessLog: [
    look('ann', '2026-01-08T10:00:00.000Z', 'dr-house', 'GET /crm/patients/{userId}', 'consent-ann-research-1'),
    look('ann', '2026-01-09T10:00:00.000Z', 'dr-house', 'GET /crm/patients/{userId}', 'consent-ann-research-1'),
    look('ben', '2026-01-09T11:00:00.500Z', 'dr-house', 'GET /crm/patients/{userId}', 'consent-ben-research-1'),
    look('ben', '2026-01-10T11:00:00.000Z', 'agent-1', 'GET /support/tickets/{ticketId}', null),
    {
      ...look('ann', '2026-01-10T11:00:00.000Z', 'agent-2', 'GET /support/tickets/{ticketId}', null),
      expiresAt: 1_672_531_200,
    },
    look('cem', '2026-01-01T11:00:00.000Z', 'agent-1', 'GET /support/tickets/{ticketId}', null),
  ],
  Devices: [
    device('ann', 'ios', '2.1.0', '2026-01-12T07:00:00.000Z'),
    device('ben', 'android', '2.0.0', '2026-01-05T07:00:00.000Z'),
    device('cem', 'android', '2.0.0', '2026-01-11T23:59:59.999Z'),
  ],
};

function record(
  userId: string,
  agreementId: string,
  sequence: number,
  action: 'agreed' | 'revoked',
  versionId: string,
  recordedAt: string,
  appVersion: string | null,
) {
  const recordId = `consent-${userId}-${agreementId}-${sequence}`;
  const shown = { contentHash: 'c0', locale: 'de', localeSource: 'stated', appVersion, requestId: 'r', source: 'user' };
  const chain = { previousHash: null, hash: `${userId}-${sequence}` };
  const userAgreement = `${userId}#${agreementId}`;
  return { userAgreement, recordedAt, userId, agreementId, sequence, recordId, action, versionId, ...shown, ...chain };
}

function entry(userId: string, date: string, totalSleep: number, timeInBed: number) {
  const at = `${date}T07:30:00.000Z`;
  const night = { date, slept: true, timeInBed, totalSleep, episode: timeInBed, sleepOnset: 20, wake: 15, quality: 3 };
  const stamp = { recordedAt: at, statedAt: at, updatedAt: at, replacedAt: null, revision: 1, fingerprint: 'f' };
  return { userId, date, content: { notes: 'a "quoted"\nnote \\ with 🌙' }, night, ...stamp, isDeleted: false };
}

/** The three rows of a response: one under its id, and two for the lists. */
function response(
  userId: string,
  responseId: string,
  questionnaireId: string,
  completedAt: string,
  scores: readonly (readonly [scoreId: string, value: number | null, bandId: string | null])[],
  chain: { readonly amends?: string; readonly amendedBy?: string } = {},
) {
  const row = {
    userId,
    responseId,
    questionnaireId,
    version: '1.0',
    status: 'completed',
    answers: [{ linkId: 'one', choice: '1' }],
    scores: scores.map(([scoreId, value, bandId]) => ({ scoreId, value, bandId, missing: 0, rule: 'isi/1.0/1' })),
    completedAt,
    amends: chain.amends ?? null,
    amendedBy: chain.amendedBy ?? null,
  };
  const parts = [
    `response#${responseId}`,
    `at#${completedAt}#${responseId}`,
    `of#${questionnaireId}#${completedAt}#${responseId}`,
  ];
  return parts.map((part) => ({ ...row, part }));
}

function look(userId: string, at: string, by: string, action: string, consentRecordId: string | null) {
  const ground =
    consentRecordId === null
      ? { siteId: null, relation: 'support', agreementId: null }
      : { siteId: 'site-1', relation: 'care', agreementId: 'research' };
  return {
    userId,
    lookId: `${at}.1`,
    at,
    by,
    name: 'A name',
    roles: ['physician'],
    action,
    ...ground,
    consentRecordId,
  };
}

function device(userId: string, platform: string, appVersion: string, renewedAt: string) {
  return {
    userId,
    deviceId: `${userId}-phone`,
    platform,
    appVersion,
    registeredAt: renewedAt,
    renewedAt,
    tokenHash: 't',
  };
}
