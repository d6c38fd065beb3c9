import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { compactVerify, createLocalJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServiceAccess } from '../../lib/local/access.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { baseUrl, client, isDeployed } from '../api.ts';
import { partition } from '../partition.ts';
import { typed } from '../typed.ts';

/** `npm run cli -- export-consents --local`, against the stage of all tests. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
});
afterAll(() => rm(folder, { recursive: true }));

function exported(user: string, ...args: string[]) {
  const { hostname, port } = new URL(baseUrl());
  const all = ['export-consents', '--local', '--user', user, '--out', join(folder, user), ...args];
  return typed(all, { PATH: process.env.PATH, HOST: hostname, PORT: port });
}

async function consenting() {
  const user = await client();
  const { userId } = (await user.get('/users/me')).body;
  await user.post('/agreements/versions/marketing-1.0/agree', { body: { locale: 'de', appVersion: '2.1.0' } });
  await user.delete('/users/agreements/marketing/consent');
  await user.post('/agreements/versions/terms-of-service-1.0/agree');
  return { user, userId };
}

const read = async (user: string, name: string) => readFile(join(folder, user, name), 'utf8');
const lines = async (user: string) =>
  (await read(user, 'consents.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe.skipIf(isDeployed())('an export', () => {
  test('is all records with receipts that verify by the keys beside them, and a page', async () => {
    const { user, userId } = await consenting();
    const { body: asked } = await user.get('/users/agreements/marketing/receipt');
    expect(await exported(userId, '--locale', 'de', '--time-zone', 'Europe/Berlin')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('3 records of 2 agreements'),
    });
    const entries = await lines(userId);
    const history = (await user.get('/users/agreements/marketing/history')).body.items;
    const marketing = entries.filter(({ agreementId }) => agreementId === 'marketing');
    expect(marketing.map(({ record }) => record)).toEqual(history.toReversed());
    expect(marketing[0]).toMatchObject({
      application: 'sleepcare',
      text: { title: expect.any(String), contentUrl: expect.any(String) },
    });
    // What the app was given is what is handed over.
    expect(marketing[1].receipt).toBe(asked.receipt);
    const keys = createLocalJWKSet(JSON.parse(await read(userId, 'jwks.json')));
    for (const { record, receipt } of entries) {
      const { payload } = await compactVerify(receipt, keys);
      expect(JSON.parse(new TextDecoder().decode(payload)).record).toEqual(record);
    }
    const page = await read(userId, 'consents.html');
    for (const { record } of entries) expect(page).toContain(record.hash);
    expect(page).toContain('Nachweis der Einwilligungen');
    expect((await stat(join(folder, userId, 'consents.jsonl'))).mode & 0o077).toBe(0);
    // Again: the same receipts.
    await exported(userId);
    expect(await lines(userId)).toEqual(entries);
  });

  test('of an altered record says so, and signs it not', async () => {
    const { userId } = await consenting();
    const access = (await (await fetch(new URL('/_local/access', baseUrl()))).json()) as ServiceAccess;
    const { region, credentials, endpoints, outputs } = access;
    const dynamo = documentsOf(new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb }));
    const TableName = outputs.ConsentRecordsTableName;
    const [first] = await partition(dynamo, TableName, { userAgreement: `${userId}#marketing` });
    await dynamo.send(new PutCommand({ TableName, Item: { ...first, locale: 'fr' } }));
    dynamo.destroy();
    const { code, out } = await exported(userId);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('marketing: its hash is') });
    expect(out).toContain('marketing: record 1 has no valid receipt');
    expect((await lines(userId)).map(({ agreementId, receipt }) => [agreementId, receipt !== null])).toEqual([
      ['marketing', false],
      // Nothing is signed in a chain in which something is wrong.
      ['marketing', false],
      ['terms-of-service', true],
    ]);
    expect(await read(userId, 'consents.html')).toContain('not everything is in order');
  });

  test('2: of nobody, or without a place', async () => {
    expect(await exported('nobody')).toMatchObject({ code: 2, err: expect.stringContaining('no record of nobody') });
    expect(await exported('nobody', '--locale', 'fr')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Allowed choices are en, de'),
    });
  });
});
