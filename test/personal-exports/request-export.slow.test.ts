import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { baseUrl, call, client, isDeployed } from '../api.ts';
import { eventually } from '../eventually.ts';
import { readZip } from './read-zip.ts';

type Person = Awaited<ReturnType<typeof client>>;

const exportsPath = '/users/me/exports';

async function doneExport(me: Person, exportId: string) {
  return eventually(async () => {
    const { status, body } = await me.get(`${exportsPath}/${exportId}`);
    expect([status, body.status]).toEqual([200, 'done']);
    return body;
  });
}

async function filesAt(address: string) {
  return readZip(Buffer.from(await (await fetch(address)).arrayBuffer()));
}

/** As after a renewal: the token is new, the sign-in is not. */
async function renewedToken(signedInAgo: number): Promise<string> {
  const query = new URLSearchParams({ user: randomUUID(), application: 'sleepcare', signedInAgo: String(signedInAgo) });
  return (await fetch(new URL(`/_local/token?${query}`, baseUrl()))).text();
}

describe('202', () => {
  test('within moments there is a ZIP, whose files say what the API shows; nobody else is in it', async () => {
    const [me, other] = [await client(), await client()];
    await other.get('/users/me');
    const { body: profile } = await me.get('/users/me');
    await me.post('/agreements/versions/marketing-1.0/agree');
    const asked = await me.post(exportsPath);
    expect(asked).toMatchObject({ status: 202, body: { finishedAt: null, sizeBytes: null } });
    const done = await doneExport(me, asked.body.exportId);

    const answer = await fetch(done.downloadUrl);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="personal-data-${done.requestedAt.slice(0, 10)}.zip"`,
      'cache-control': 'no-store',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, bytes.length]).toEqual([200, done.sizeBytes]);
    const files = await readZip(bytes);
    // The row has no year of birth before the user states it.
    const { roles: _roles, birthYear, ...said } = profile;
    expect(birthYear).toBeNull();
    expect(JSON.parse(String(files.get('users.json')))).toEqual({ Users: [expect.objectContaining(said)] });
    const { ConsentRecords } = JSON.parse(String(files.get('consents.json')));
    expect(ConsentRecords).toMatchObject([{ agreementId: 'marketing', action: 'agreed' }]);
    expect(String(files.get('consents.html'))).toContain(ConsentRecords[0].hash);
    expect(String(files.get('index.html'))).toContain(profile.userId);
    const { entry } = JSON.parse(String(files.get('fhir.json')));
    const all = (await me.get('/users/me/fhir')).body.entry;
    expect(entry).toEqual(all.map(({ search: _, ...said }: { search: unknown }) => said));
    expect(entry).toHaveLength(3);

    const [item] = (await me.get(exportsPath)).body.items;
    expect(item).toMatchObject({ exportId: done.exportId, status: 'done', sizeBytes: bytes.length });
    expect(item).not.toHaveProperty('downloadUrl');
    expect(Date.parse(done.expiresAt) - Date.parse(done.finishedAt)).toBeGreaterThanOrEqual(7 * 86_400_000);
    // Another one's id is nobody's, and the address is of this one object.
    expect((await other.get(`${exportsPath}/${done.exportId}`)).body.code).toBe('EXPORT_NOT_FOUND');
    expect((await other.get(exportsPath)).body.items).toEqual([]);
    const foreign = done.downloadUrl.replace(profile.userId, randomUUID());
    expect([foreign === done.downloadUrl, (await fetch(foreign)).status]).toEqual([false, 403]);
    expect((await fetch(done.downloadUrl.replace(/\?.*/, ''))).status).toBe(403);
  });

  test('requests at once are one export, and so is a repetition', async () => {
    const me = await client();
    const answers = await Promise.all(Array.from({ length: 5 }, () => me.post(exportsPath)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    expect(new Set(answers.map(({ body }) => body.exportId)).size).toBe(1);
    await doneExport(me, answers[0]?.body.exportId);
    expect((await me.get(exportsPath)).body.items).toHaveLength(1);
  });

  test('staff have data of their own, too; in German where the profile says so', async () => {
    const me = await client({ roles: 'agent', application: 'medinfo' });
    await me.get('/users/me');
    await me.patch('/users/me', { body: { locale: 'de-AT', timezone: 'Europe/Vienna' } });
    const { body } = await me.post(exportsPath);
    const files = await filesAt((await doneExport(me, body.exportId)).downloadUrl);
    expect(String(files.get('index.html'))).toContain('<html lang="de">');
    expect(String(files.get('index.html'))).toContain('Europe/Vienna');
    expect(String(files.get('consents.html'))).toContain('<html lang="de">');
    // They are no patients.
    expect(JSON.parse(String(files.get('fhir.json')))).toEqual({ resourceType: 'Bundle', type: 'collection' });
  });
});

// Only a local stage gives a token of an older sign-in.
describe.skipIf(isDeployed())('403', () => {
  test.each([601, 86_400])('SIGN_IN_TOO_OLD: a renewed token of a sign-in %i seconds ago', async (seconds) => {
    const token = await renewedToken(seconds);
    const answer = await call('POST', exportsPath, { token });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'SIGN_IN_TOO_OLD', detail: null },
    });
    // What needs no fresh sign-in goes on.
    expect((await call('GET', exportsPath, { token })).body.items).toEqual([]);
  });

  test('one of nine minutes ago is fresh', async () => {
    expect((await call('POST', exportsPath, { token: await renewedToken(540) })).status).toBe(202);
  });
});

describe('404', () => {
  test.each(['unknown', '~latest', '20260301T100000000Z-01234567'])('%s', async (exportId) => {
    const me = await client();
    await me.post(exportsPath);
    const answer = await me.get(`${exportsPath}/${encodeURIComponent(exportId)}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'EXPORT_NOT_FOUND' } });
  });
});
