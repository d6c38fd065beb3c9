import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ConsentState } from '../../functions/access/consent-states.ts';
import { namesPartition, versionNameKey } from '../../functions/agreements/rules/catalogue-keys.ts';
import { agreementRow, versionRow } from '../../functions/agreements/rules/catalogue-rows.ts';
import { importConsents } from '../../functions/consents/jobs/import-consents.ts';
import { openLedger, openTrial } from '../../functions/consents/jobs/import-ledger.ts';
import { decideAgreement } from '../../functions/consents/rules/consent.ts';
import { hashOf } from '../../functions/consents/rules/record.ts';
import { readRecords, readState } from '../../functions/consents/stores/consent-rows.ts';
import { recordChange } from '../../functions/consents/workflows/record-change.ts';
import { checkChain } from '../../functions/ledger/rules/chain-check.ts';
import { accountPart } from '../../lib/contract/accounts.ts';
import { localTables } from '../local-tables.ts';

const names = ['ConsentRecords', 'ConsentStates', 'Agreements', 'Accounts', 'Users'] as const;

const { client, tables } = await localTables(names);
beforeAll(async () => {
  await publish('marketing', false);
  await publish('terms', true);
});

const texts = {
  en: { title: 'Text', contentUrl: 'https://example.com/en', contentHash: 'e'.repeat(64) },
  de: { title: 'Text', contentUrl: 'https://example.com/de', contentHash: 'd'.repeat(64) },
};

async function publish(agreementId: string, isRequired: boolean): Promise<void> {
  const application = 'sleepcare';
  const put = (Item: Record<string, unknown>) =>
    client.send(new PutCommand({ TableName: tables.Agreements.name, Item }));
  await put(agreementRow({ agreementId, application, title: agreementId, isRequired, position: 1 }));
  for (const [label, publishedAt] of [
    ['1', '2026-01-01T00:00:00.000Z'],
    ['2', '2026-01-01T00:00:00.000Z'],
    ['draft', null],
  ] as const) {
    const versionId = `${agreementId}-${label}`;
    const common = { versionId, agreementId, label, changeType: 'major' as const, defaultLocale: 'en', locales: texts };
    await put(versionRow(application, { ...common, publishedAt, effectiveFrom: publishedAt, withdrawnAt: null }));
    await put({
      application: namesPartition,
      catalogueKey: versionNameKey(versionId),
      owner: application,
      agreementId,
    });
  }
}

const line = (changes: object) => ({
  userId: randomUUID(),
  agreementId: 'marketing',
  versionId: 'marketing-1',
  action: 'agreed',
  recordedAt: '2020-05-01T10:00:00.000Z',
  ...changes,
});

async function* written(lines: readonly unknown[]): AsyncIterable<string> {
  for (const one of lines) yield typeof one === 'string' ? one : JSON.stringify(one);
}

/** What the last run would have signed for. */
const brought: ConsentState[] = [];

async function run(lines: readonly unknown[], open: typeof openLedger = openLedger, unknownUsers = true) {
  const refused: Record<number, string> = {};
  brought.length = 0;
  const counted = await importConsents(written(lines), {
    tables,
    ledger: open(tables),
    unknownUsers,
    now: new Date('2026-11-21T12:00:00.000Z'),
    refused: (number, says) => {
      refused[number] = says;
    },
    brought: (record) => void brought.push(record),
    progress: () => {},
  });
  return { ...counted, refusals: refused };
}

async function chainOf(userId: string, agreementId = 'marketing') {
  const { records } = await readRecords(tables.ConsentRecords, { userId, agreementId }, { limit: 100, after: null });
  return records.reverse();
}

describe('importing', () => {
  test.each<[string, object, boolean]>([
    ['what the line says', {}, true],
    ['another language', { locale: 'de', contentHash: 'd'.repeat(64) }, false],
    ['another version of the app', { appVersion: '9' }, false],
    ['another origin', { requestId: 'import:crm-2' }, false],
    ['something that no record has', { expiresAt: 4_000_000_000 }, false],
  ])('signs for a record of its id that was there before with %s: %j', async (_, change, isSigned) => {
    const userId = randomUUID();
    const wanted = line({ userId, sourceId: 'crm-1' });
    await run([wanted]);
    const [record] = await chainOf(userId);
    const { hash: _hash, userAgreement: _key, ...said } = { userAgreement: '', ...record, ...change };
    const Item = { userAgreement: `${userId}#marketing`, ...said, hash: hashOf(said) };
    await client.send(new PutCommand({ TableName: tables.ConsentRecords.name, Item }));
    const { refused, refusals } = await run([wanted]);
    expect([refused, brought.length]).toEqual(isSigned ? [0, 1] : [1, 0]);
    if (!isSigned) expect(refusals[1]).toContain('exists, and differs');
  });

  test('brings in a history with its own times, as a chain like any other', async () => {
    const userId = randomUUID();
    const history = [
      line({ userId, locale: 'DE', appVersion: '0.9', sourceId: 'crm-1' }),
      line({ userId, action: 'revoked', recordedAt: '2021-05-01T12:00:00+02:00' }),
      line({ userId, versionId: 'marketing-2', recordedAt: '2022-05-01T10:00:00Z' }),
    ];
    expect(await run(history)).toMatchObject({ lines: 3, imported: 3, refused: 0 });
    const records = await chainOf(userId);
    expect(brought.map(({ hash }) => hash)).toEqual(records.map(({ hash }) => hash));
    expect(records).toMatchObject([
      {
        sequence: 1,
        recordedAt: '2020-05-01T10:00:00.000Z',
        locale: 'de',
        localeSource: 'stated',
        contentHash: 'd'.repeat(64),
        appVersion: '0.9',
        requestId: 'import:crm-1',
      },
      {
        sequence: 2,
        recordedAt: '2021-05-01T10:00:00.000Z',
        action: 'revoked',
        versionId: 'marketing-1',
        locale: 'de',
      },
      {
        sequence: 3,
        recordedAt: '2022-05-01T10:00:00.000Z',
        versionId: 'marketing-2',
        locale: 'en',
        localeSource: 'negotiated',
      },
    ]);
    expect(new Set(records.map(({ source }) => source))).toEqual(new Set(['imported']));
    expect(checkChain(`${userId}#marketing`, records)).toEqual([]);
    const state = await readState(tables.ConsentStates, { userId, agreementId: 'marketing' });
    expect(state).toMatchObject({ sequence: 3, hash: records[2]?.hash });
    // The same file once more, and a part of it.
    expect(await run(history)).toMatchObject({ imported: 0, there: 3, refused: 0 });
    expect(await run(history.slice(1))).toMatchObject({ imported: 0, there: 2, refused: 0 });
    expect(await chainOf(userId)).toEqual(records);
  });

  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /./],
    ['no object', '[]', /./],
    ['a field too many', line({ local: 'de' }), /local/],
    ['no user', line({ userId: undefined }), /userId/],
    ['an id with #', line({ userId: 'a#b' }), /userId/],
    ['an unknown action', line({ action: 'accepted' }), /action/],
    ['a time that is none', line({ recordedAt: 'yesterday' }), /recordedAt/],
    ['a day that is none', line({ recordedAt: '2026-02-30T00:00:00Z' }), /recordedAt/],
    ['a time to come', line({ recordedAt: '2026-11-21T12:00:00.001Z' }), /future/],
    ['an unknown version', line({ versionId: 'marketing-9' }), /no published version/],
    ['a draft', line({ versionId: 'marketing-draft' }), /no published version/],
    ["another agreement's version", line({ versionId: 'terms-1' }), /is a version of terms/],
    ['a language without a text', line({ locale: 'fr' }), /no text in fr/],
    ['a revocation of nothing', line({ action: 'revoked' }), /no consent before it/],
    [
      'a revocation of what is required',
      line({ agreementId: 'terms', versionId: 'terms-1', action: 'revoked' }),
      /required/,
    ],
  ])('%s is reported by its number and stops nothing', async (_name, wrong, says) => {
    const [before, after] = [line({}), line({})];
    const { imported, refused, refusals } = await run([before, '', wrong, after]);
    expect({ imported, refused }).toEqual({ imported: 2, refused: 1 });
    expect(refusals).toEqual({ 3: expect.stringMatching(says) });
  });

  test('a line behind its chain is reported, and one that only repeats what held is not', async () => {
    const userId = randomUUID();
    const { imported, unchanged, refusals } = await run([
      line({ userId, recordedAt: '2022-01-01T00:00:00Z' }),
      line({ userId, recordedAt: '2022-01-02T00:00:00Z' }),
      line({ userId, recordedAt: '2021-01-01T00:00:00Z' }),
      line({ userId, versionId: 'marketing-2', recordedAt: '2022-01-01T00:00:00Z' }),
      line({ userId, versionId: 'marketing-2', action: 'revoked', recordedAt: '2022-02-01T00:00:00Z' }),
    ]);
    expect({ imported, unchanged }).toEqual({ imported: 1, unchanged: 1 });
    expect(Object.keys(refusals)).toEqual(['3', '4', '5']);
    expect(refusals[3]).toContain('2022-01-01T00:00:00.000Z');
    expect(refusals[5]).toContain('the consent is to marketing-1');
  });

  test('nothing comes before what a user decided here; a later line follows it', async () => {
    const userId = randomUUID();
    const shown = {
      versionId: 'marketing-1',
      contentHash: 'e'.repeat(64),
      locale: 'en',
      localeSource: 'stated' as const,
      appVersion: null,
    };
    await recordChange(tables, {
      userId,
      agreementId: 'marketing',
      now: new Date('2025-01-01T00:00:00.000Z'),
      requestId: 'r',
      decide: (state) => decideAgreement(state, shown, []),
    });
    const { imported, refusals } = await run([
      line({ userId }),
      line({ userId, action: 'revoked', recordedAt: '2025-06-01T00:00:00Z' }),
    ]);
    expect({ imported, refused: Object.keys(refusals) }).toEqual({ imported: 1, refused: ['1'] });
    expect((await chainOf(userId)).map(({ source, action }) => [source, action])).toEqual([
      ['user', 'agreed'],
      ['imported', 'revoked'],
    ]);
  });

  test('an erased user is not made again', async () => {
    const userId = randomUUID();
    const Item = { userId, part: accountPart, isClosed: true, ends: ['2026-01-01T00:00:00.000Z'] };
    await client.send(new PutCommand({ TableName: tables.Accounts.name, Item }));
    expect((await run([line({ userId })])).refusals).toEqual({ 1: expect.stringContaining('deleted') });
    expect(await chainOf(userId)).toEqual([]);
  });

  test('a user of whom nothing is known is refused, unless that is wanted', async () => {
    const [seen, consented, mistyped] = [line({}), line({}), line({})];
    const Item = { userId: seen.userId, application: 'sleepcare' };
    await client.send(new PutCommand({ TableName: tables.Users.name, Item }));
    await recordChange(tables, {
      userId: consented.userId,
      agreementId: 'terms',
      now: new Date('2025-01-01T00:00:00.000Z'),
      requestId: 'r',
      decide: (state) =>
        decideAgreement(
          state,
          {
            versionId: 'terms-1',
            contentHash: 'e'.repeat(64),
            locale: 'en',
            localeSource: 'stated',
            appVersion: null,
          },
          [],
        ),
    });
    const file = [seen, consented, mistyped];
    for (const open of [openTrial, openLedger]) {
      const { imported, refusals } = await run(file, open, false);
      expect(imported).toBe(2);
      expect(refusals).toEqual({ 3: expect.stringContaining('there is no user') });
    }
    expect(await chainOf(mistyped.userId)).toEqual([]);
    expect(await run(file)).toMatchObject({ imported: 1, there: 2, refused: 0 });
  });

  test('two runs at once import once', async () => {
    const history = Array.from({ length: 20 }, () => line({}));
    const runs = await Promise.all([run(history), run(history), run(history)]);
    expect(runs.reduce((sum, { refused }) => sum + refused, 0)).toBe(0);
    for (const { userId } of history) expect(await chainOf(userId)).toHaveLength(1);
  });

  test('a trial tells what a run would do, and writes nothing', async () => {
    const users =
      fc.sample(
        fc.array(fc.constantFrom(...Array.from({ length: 5 }, () => randomUUID())), { minLength: 40, maxLength: 40 }),
        1,
      )[0] ?? [];
    const lines = users.map((userId, index) =>
      line({
        userId,
        action: index % 3 === 0 ? 'revoked' : 'agreed',
        versionId: `marketing-${1 + (index % 2)}`,
        recordedAt: new Date(Date.UTC(2020, 0, (index * 7) % 31)).toISOString(),
      }),
    );
    const file = [...lines, ...lines.slice(0, 20)];
    const trial = await run(file, openTrial);
    for (const userId of users) expect(await chainOf(userId)).toEqual([]);
    expect(await run(file)).toEqual(trial);
  });
});
