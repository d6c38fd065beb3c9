import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { domains, ownedTables } from '../../functions/domains.ts';
import { exportedDomains } from '../../functions/generated/exported-domains.ts';
import { asked, done, type PersonalExport } from '../../functions/personal-exports/rules/export.ts';
import { erasureStage } from '../erasure/stage.ts';
import { eventually } from '../eventually.ts';
import type { PersonalRows } from '../personal-rows.ts';
import { readZip } from './read-zip.ts';

/** Over all tables that the domains declare to be in a person's export, as the erasure's test is over all that it erases. */

const stand = erasureStage();
const path = '/users/me/exports';

type Someone = Awaited<ReturnType<typeof stand.person>>;

async function makeRows({ userId, call }: Someone, canary: string): Promise<void> {
  const admin = await stand.admin();
  for (const domain of Object.keys(domains)) {
    const file = new URL(`../${domain}/personal-rows.ts`, import.meta.url);
    if (!existsSync(file) || domain === 'personal-exports') continue;
    const { personalRows }: { personalRows: PersonalRows } = await import(file.href);
    await personalRows({ userId, canary, call, admin, put: stand.put });
  }
}

async function exportOf({ call }: Someone) {
  const { status, body } = await call('POST', path);
  expect(status).toBe(202);
  return eventually(async () => {
    const read = await call('GET', `${path}/${body.exportId}`);
    expect(read.body.status).toBe('done');
    return read.body;
  });
}

async function filesOf(someone: Someone) {
  const { downloadUrl } = await exportOf(someone);
  return readZip(Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()));
}

async function objectsOf(userId: string): Promise<string[]> {
  const Bucket = stand
    .stage()
    .model()
    .buckets.find(({ logicalId }) => logicalId === 'PersonalExportFiles')?.name;
  const { Contents = [] } = await stand.s3().send(new ListObjectsV2Command({ Bucket, Prefix: `${userId}/` }));
  return Contents.map(({ Key = '' }) => Key);
}

/** Where a person's rows of a table are found by its partition key: a row there is in the export as it is. */
const byPartition = ownedTables.flatMap(({ table, data, domain }) => {
  const isExported = data.people.some(({ found, inExport }) => {
    return found === 'partition' && (inExport === true || (typeof inExport === 'object' && 'without' in inExport));
  });
  // A user has one profile.
  return isExported && table.sortKey !== undefined ? [{ table, domain }] : [];
});

test('every table whose declaration says so is in the ZIP, with what is about the person and nobody else', async () => {
  const [canary, foreign] = [`canary-${randomUUID()}`, `foreign-${randomUUID()}`];
  const [someone, other] = [await stand.person(), await stand.person()];
  await makeRows(someone, canary);
  await makeRows(other, foreign);
  for (const { table } of byPartition) {
    const key = table.sortKey ? { [table.sortKey]: randomUUID() } : {};
    await stand.put(table.name, { [table.partitionKey]: someone.userId, ...key, canary, set: new Set(['a']) });
    await stand.put(table.name, { [table.partitionKey]: other.userId, ...key, canary: foreign });
  }
  const files = await filesOf(someone);
  for (const { domain, tables } of exportedDomains) {
    const said = JSON.parse(String(files.get(`${domain}.json`)));
    expect(Object.keys(said), domain).toEqual(tables.map(({ table }) => table.name));
    for (const { table } of tables) {
      expect(said[table.name], `test/${domain}/personal-rows.ts makes one of ${table.name}`).not.toEqual([]);
    }
  }
  for (const { table, domain } of byPartition) {
    const rows = JSON.parse(String(files.get(`${domain}.json`)))[table.name];
    expect(rows, table.name).toContainEqual(expect.objectContaining({ canary, set: ['a'] }));
  }
  const all = [...files.values()].map(String).join();
  expect(all).toContain(canary);
  for (const theirs of [foreign, other.userId, other.email]) expect(all).not.toContain(theirs);
});

test('what is the service’s own is in no list: a new table decides which of its fields are', async () => {
  const someone = await stand.person();
  await makeRows(someone, 'canary');
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) collect(each);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        names.add(name);
        collect(inner);
      }
    }
  };
  for (const [name, text] of await filesOf(someone)) if (name.endsWith('.json')) collect(JSON.parse(String(text)));
  expect(names).toContain('deviceId');
  // Those of the ledger are for the person: they prove what was consented to.
  const forThePerson = ['hash', 'previousHash', 'contentHash'];
  const suspicious = [...names].filter((name) =>
    /arn$|hash$|secret|password|token|revision|cipher|^expiresAt$/i.test(name),
  );
  expect(
    suspicious.filter((name) => !forThePerson.includes(name)),
    'leave it out by `inExport: { without: [...] }` in personal-data.ts',
  ).toEqual([]);
});

describe('the end of an account', () => {
  test('in the grace an export is possible; the erasure takes rows and objects, and nothing is made after it', async () => {
    const someone = await stand.person();
    const { userId, call } = someone;
    await call('GET', '/users/me');
    await call('DELETE', '/users/me');
    const again = await someone.again();
    expect((await again('PATCH', '/users/me', { locale: 'de' })).body.code).toBe('ACCOUNT_CLOSED');
    await exportOf({ ...someone, call: again });
    // The parts go after the row says that it is done.
    await eventually(async () => expect(await objectsOf(userId)).toHaveLength(1));
    await stand.endAccess(userId);
    expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
    expect([await objectsOf(userId), await stand.rows('PersonalExports', 'userId', userId)]).toEqual([[], []]);
    // The token of this test outlives that: nobody else's does.
    const late = await stand.signedInAnew(userId);
    expect(await late('POST', path)).toMatchObject({ status: 403, body: { code: 'ACCOUNT_CLOSED' } });
    expect(await stand.rows('PersonalExports', 'userId', userId)).toEqual([]);
  });

  test('one that is being made when the erasure comes is ended, and leaves nothing', async () => {
    const someone = await stand.person();
    const { userId, call } = someone;
    await call('GET', '/users/me');
    let isErasing: Promise<unknown> | undefined;
    // The ZIP is in the bucket, and the row does not say so yet.
    stand.faults.dynamo = async ({ action, input }) => {
      if (action !== 'PutItem' || !JSON.stringify(input.Item ?? {}).includes('"done"')) return undefined;
      isErasing ??= (async () => {
        await call('DELETE', '/users/me');
        await stand.endAccess(userId);
        await stand.run('erase-accounts');
      })();
      await isErasing;
      return undefined;
    };
    await call('POST', path);
    await eventually(() => expect(stand.log.join()).toContain('"outcome":"erased"'));
    expect([await objectsOf(userId), await stand.rows('PersonalExports', 'userId', userId)]).toEqual([[], []]);
  });
});

test('429: the sixth of a day, which says when the next one is possible', async () => {
  const { userId, call } = await stand.person();
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const made = [20, 4, 3, 2, 1].map((hours): PersonalExport => {
    const random = randomUUID().replaceAll('-', '');
    return done(asked({ userId, application: 'sleepcare', now: ago(hours), random }), 1000, ago(hours));
  });
  for (const row of made) await stand.put('PersonalExports', row);
  const possibleAt = new Date(Date.parse(made[0]?.requestedAt ?? '') + 86_400_000).toISOString();
  const answer = await call('POST', path);
  expect(answer).toMatchObject({ status: 429, body: { code: 'TOO_MANY_EXPORTS', detail: { possibleAt } } });
  const [first] = (await call('GET', `${path}?limit=2`)).body.items;
  expect(first.exportId).toBe(made.at(-1)?.exportId);
  // One that is over for a week is nobody's any more, though DynamoDB has not deleted it yet.
  const over = { ...(made[4] as PersonalExport), expiresAt: Math.floor(Date.now() / 1000) };
  await stand.put('PersonalExports', over);
  expect((await call('GET', `${path}/${over.exportId}`)).body.code).toBe('EXPORT_NOT_FOUND');
  expect((await call('GET', path)).body.items).toHaveLength(4);
});
