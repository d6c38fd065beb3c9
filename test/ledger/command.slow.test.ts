import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { accessOf } from '../../lib/local/access.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { publicJwk } from '../../lib/runtime/sign.ts';
import { callerAt } from '../caller-at.ts';
import { typed } from '../typed.ts';

/** `npm run cli -- verify-ledger --local`, against a stage of its own, whose function writes the checkpoints. */

const folder = await mkdtemp(join(tmpdir(), 'verify-ledger-'));
const stage = await startStage({ seed, rateLimit: false });
afterAll(async () => {
  await stage?.close();
  await rm(folder, { recursive: true });
});

const verify = (...args: string[]) =>
  typed(['verify-ledger', ...args], { PATH: process.env.PATH, PORT: String(stage.port) });

async function consent(user: string) {
  const call = await callerAt(stage, { user });
  for (const { versionId } of (await call('GET', '/users/agreements')).body.items) {
    expect((await call('POST', `/agreements/versions/${versionId}/agree`)).status).toBe(200);
  }
}

test('2, 0 and 1: not checked, nothing wrong, something wrong', async () => {
  await consent('one');
  const early = await verify('--local');
  expect(early).toMatchObject({ code: 2, err: expect.stringContaining('there is no checkpoint') });
  const loud = await verify('--local', '--without-checkpoint');
  expect(loud).toMatchObject({ code: 0, err: expect.stringContaining('COMPARED WITH NO CHECKPOINT') });

  await stage.runSchedule('write-checkpoint');
  await consent('two');
  await stage.runSchedule('write-checkpoint');
  const clean = await verify('--local', '--segments', '3', '--resume', join(folder, 'work'));
  expect(clean).toMatchObject({ code: 0, out: '', err: expect.stringContaining('nothing is wrong') });
  expect(clean.err).toMatch(/compared with 2 checkpoints, the last of 20\S+Z: records since then/);

  const { region, credentials, endpoints, outputs } = accessOf(stage.data, stage.model(), stage.issuer);
  const kms = new KMSClient({ region, credentials, endpoint: endpoints.kms });
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: outputs.LedgerKeyArn }));
  const jwks = join(folder, 'jwks.json');
  writeFileSync(jwks, JSON.stringify({ keys: [publicJwk(PublicKey ?? new Uint8Array())] }));
  expect(await verify('--local', '--keys', jwks)).toMatchObject({ code: 0 });
  writeFileSync(jwks, JSON.stringify({ keys: [] }));
  expect(await verify('--local', '--keys', jwks)).toMatchObject({ code: 2 });

  const client = documentsOf(new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb }));
  const TableName = outputs.ConsentRecordsTableName;
  const { Items: [record] = [] } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
  await client.send(new PutCommand({ TableName, Item: { ...record, locale: 'fr' } }));
  const { code, out } = await verify('--local');
  expect(code).toBe(1);
  expect(out).toContain(`record-altered: user ${record?.userId}, agreement ${record?.agreementId}, record 1 of`);
});

test.each([
  [['--stage', 'nowhere'], 'dev, staging'],
  [[], '--stage dev|staging|prod'],
  [['--local', '--stage', 'dev'], 'cannot be used with'],
  [['--local', '--segments', 'many'], 'a whole number from 1 to 1000'],
  [['--unknown'], 'unknown'],
])('2: %j is said in a sentence', async (args, says) => {
  const { code, err } = await verify(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
});
