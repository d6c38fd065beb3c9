import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Call, call, client, signIn } from '../api.ts';
import { eventually } from '../eventually.ts';
import { readZip } from './read-zip.ts';

type Person = Awaited<ReturnType<typeof client>>;

const exportsPath = '/users/me/exports';

async function doneExport(me: Person, exportId: string, options?: Call) {
  return eventually(async () => {
    const { status, body } = await me.get(`${exportsPath}/${exportId}`, options);
    expect([status, body.status]).toEqual([200, 'done']);
    return body;
  });
}

describe('202 and then done', () => {
  test('the ZIP has the files, and their text is what the API shows', async () => {
    const me = await client();
    const { body: profile } = await me.get('/users/me');
    await me.post('/agreements/versions/marketing-1.0/agree');
    const asked = await me.post(exportsPath);
    expect(asked).toMatchObject({ status: 202, body: { status: 'pending', finishedAt: null, sizeBytes: null } });
    const done = await doneExport(me, asked.body.exportId);
    const answer = await fetch(done.downloadUrl);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="personal-data-${done.requestedAt.slice(0, 10)}.zip"`,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBe(done.sizeBytes);
    const files = await readZip(bytes);
    expect([...files.keys()]).toEqual(expect.arrayContaining(['index.html', 'users.json', 'consents.html']));
    const { roles: _roles, ...said } = profile;
    expect(JSON.parse(String(files.get('users.json')))).toEqual({ Users: [expect.objectContaining(said)] });
    const { ConsentRecords } = JSON.parse(String(files.get('consents.json')));
    expect(ConsentRecords).toMatchObject([{ agreementId: 'marketing', action: 'agreed' }]);
    expect(String(files.get('consents.html'))).toContain(ConsentRecords[0].hash);
    expect((await me.get(exportsPath)).body.items).toEqual([
      expect.objectContaining({ exportId: done.exportId, status: 'done' }),
    ]);
    expect((await me.get(exportsPath)).body.items[0]).not.toHaveProperty('downloadUrl');
  });
});
