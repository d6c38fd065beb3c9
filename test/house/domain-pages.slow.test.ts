import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { baseUrl, call, signIn } from '../api.ts';
import { hangMs } from '../hang.ts';
import { readZip } from '../personal-exports/read-zip.ts';
import { pasted, shellOf } from './pages.ts';

/** The commands of docs/domains, which do what the text around them says. */

pasted('the story of sharing gives what the text around it says', async () => {
  const shell = shellOf('sharing');
  const { origin } = new URL(baseUrl());
  // A patient of the test's own, so that nobody else's answers change; what the physician sees of others is not looked at.
  const user = randomUUID();
  const token = await signIn({ user });
  await call('GET', '/users/me', { token });
  const here = shell
    .replace('http://localhost:3000', origin)
    .replace(/^PATIENT=.*$/m, `PATIENT=${token}`)
    .replaceAll('/v2/crm/patients', '/v2/crm/patients?limit=100');
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', here]);
  const [joined, alone, agreed, shared, log, revoked, left, empty] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const lineIn = (list: { items: { userId: string }[] }) => list.items.find(({ userId }) => userId === user);
  expect(joined).toMatchObject({ siteId: 'example-site', missingAgreementId: 'data-sharing' });
  expect(lineIn(alone)).toMatchObject({ since: joined.since, sharedSince: null, versionId: null, email: null });
  expect(lineIn(shared)).toMatchObject({ sharedSince: agreed.agreedAt, versionId: 'data-sharing-1.0' });
  const look = { name: 'Dr. Ada Example', site: { siteId: 'example-site' }, action: 'GET /crm/patients' };
  expect(log.items).toMatchObject([
    { ...look, consent: { agreementId: 'data-sharing' } },
    { ...look, consent: null },
  ]);
  expect([revoked.agreed, left.success, lineIn(empty)]).toEqual([false, true, undefined]);
});

pasted('the personal export: what is pasted ends with a ZIP', async () => {
  const shell = shellOf('personal-export');
  expect(shell).toMatch(/^API=http:\/\/localhost:3000\/de\/v1\nTOKEN=/);
  const cwd = mkdtempSync(join(tmpdir(), 'personal-export-'));
  const here = shell.replace('http://localhost:3000/de/v1', baseUrl());
  await promisify(execFile)('sh', ['-ec', here], { cwd, timeout: hangMs });
  const files = await readZip(readFileSync(join(cwd, 'personal-data.zip')));
  rmSync(cwd, { recursive: true });
  expect([...files.keys()]).toContain('index.html');
  expect(JSON.parse(String(files.get('users.json'))).Users).toMatchObject([{ email: 'patient@example.com' }]);
});

pasted('the access codes’ commands issue a code and redeem it, when pasted', async () => {
  const shell = shellOf('access-codes');
  expect(shell.match(/^(STAFF|PATIENT)=\$\(curl -s "\$API\/_local\/token\?.+"\)$/gm)).toHaveLength(2);
  // Somebody of the test's own in the place of the seeded patient, whose entitlements others look at.
  const [staff, me] = [await signIn({ application: 'medinfo', roles: 'admin' }), await signIn()];
  const here = shell
    .replace(/^STAFF=.*$/m, `STAFF=${staff}`)
    .replace(/^PATIENT=.*$/m, `PATIENT=${me}`)
    .replaceAll('$API/v2', baseUrl('medinfo'))
    .replaceAll('$API/de/v1', baseUrl());
  const { stdout } = await promisify(execFile)('sh', ['-c', here]);
  const [validated, redeemed, listed] = stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(validated).toEqual({ valid: true, reason: null, programmeId: 'insomnia-basic', grantsDays: 90 });
  expect(redeemed).toMatchObject({ programmeId: 'insomnia-basic', status: 'active', missingAgreementId: null });
  expect(listed.items).toEqual([expect.objectContaining({ entitlementId: redeemed.entitlementId })]);
});

pasted('a message to a group is on its member’s board when the commands end', async () => {
  const shell = shellOf('groups');
  const [staff, me] = [await signIn({ application: 'medinfo', roles: 'admin' }), await signIn()];
  const here = shell
    .replace(/^STAFF=.*$/m, `STAFF=${staff}`)
    .replace(/^PATIENT=.*$/m, `PATIENT=${me}`)
    .replaceAll('$API/v2', baseUrl('medinfo'))
    .replaceAll('$API/de/v1', baseUrl());
  const { stdout } = await promisify(execFile)('sh', ['-c', here], { timeout: hangMs });
  const [member, done] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { groupId } = member;
  expect(done).toMatchObject({ groupId, status: 'done', total: 1, posted: 1, failed: 0, skipped: 0 });
  const { items } = (await call('GET', '/agent-board/messages', { token: me })).body;
  expect(items).toMatchObject([{ title: 'A new page' }]);
});

pasted('a study is joined and left as the text says', async () => {
  const shell = shellOf('research');
  const [researcher, me] = [await signIn({ application: 'medinfo', roles: 'researcher' }), await signIn()];
  const here = shell
    .replace(/^RESEARCHER=.*$/m, `RESEARCHER=${researcher}`)
    .replace(/^PATIENT=.*$/m, `PATIENT=${me}`)
    .replaceAll('$API/v2', baseUrl('medinfo'))
    .replaceAll('$API/de/v1', baseUrl());
  const { stdout } = await promisify(execFile)('sh', ['-c', here], { timeout: hangMs });
  const [open, offer, agreed, joined, number, left] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { studyId } = open;
  expect(open).toMatchObject({ state: 'recruiting', hasCode: true });
  expect(offer).toMatchObject({ studyId, isOpen: true, isAgreed: false });
  expect(agreed).toMatchObject({ agreementId: 'research-data', agreed: true });
  expect(joined).toMatchObject({ studyId, isParticipating: true });
  expect(number).toEqual({ studyId, count: null, isFewerThanFive: true });
  expect(left).toMatchObject({ success: true, studyId, keepExported: false });
});

pasted('a night is written down as the text says, with nothing but curl and node', async () => {
  const shell = shellOf('sleep');
  expect(shell).toContain('API=http://localhost:3000/de/v1');
  const { origin } = new URL(baseUrl());
  // A user of the test's own, so that the seeded diary stays as it is.
  const here = shell.replaceAll('http://localhost:3000', origin).replace('patient@example.com', randomUUID());
  const separated = here.replaceAll(/^(curl .*)$/gm, "printf '\\n'; $1");
  const { stdout } = await promisify(execFile)('sh', ['-c', separated]);
  const [entry, summary, window] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entry).toMatchObject({ figures: { totalSleepMinutes: 405, efficiencyPercent: 90, midSleep: '03:55' } });
  expect(summary).toMatchObject({ nights: 1, totalSleepMinutes: { mean: 405 } });
  expect(window).toMatchObject({ status: 'none', next: { nights: 1, nightsNeeded: 5 } });
});

pasted('pages of FHIR are read as the text says, with nothing but curl', async () => {
  const shell = shellOf('fhir');
  expect(shell).toContain('API=http://localhost:3000/de/v1');
  const { origin } = new URL(baseUrl());
  const here = shell.replaceAll('http://localhost:3000', origin).replaceAll(/^(curl .*)$/gm, "printf '\\n'; $1");
  const { stdout } = await promisify(execFile)('sh', ['-c', here]);
  const [first, next] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({ resourceType: 'Bundle', type: 'searchset' });
  expect(first.entry).toHaveLength(5);
  expect(next.entry[0].resource).toMatchObject({ resourceType: 'Observation' });
  expect(next.link[0].url).toContain('cursor=');
});

pasted('a ticket is opened and answered as the text says, with nothing but curl', async () => {
  const shell = shellOf('support');
  const { origin } = new URL(baseUrl());
  // A patient of the test's own, whose board is empty.
  const here = shell.replaceAll('http://localhost:3000', origin).replace('patient@example.com', randomUUID());
  const separated = here.replaceAll(/^(curl .*)$/gm, "printf '\\n'; $1");
  const { stdout } = await promisify(execFile)('sh', ['-c', separated]);
  const [list, answer, comments, board] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(list.metadata.count).toBeGreaterThan(0);
  expect(answer).toMatchObject({ by: 'support', visibility: 'patient' });
  expect(comments.items.map(({ by }: { by: string }) => by)).toEqual(['patient', 'support']);
  expect(board.metadata.unreadCount).toBe(1);
});

test('the questionnaire is answered as the text around it says', async () => {
  const shell = shellOf('questionnaires');
  const [, draft = ''] = /-d '([\s\S]*?)'/.exec(shell) ?? [];
  const token = await signIn();
  const path = '/questionnaires/responses/first';
  const due = await call('GET', '/questionnaires/bundles', { token });
  const answers = [
    await call('PUT', path, { token, body: draft }),
    await call('PUT', path, { token, body: draft }),
    await call('POST', `${path}/complete`, { token }),
    await call('GET', path, { token, headers: { Accept: 'application/fhir+json' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(due.body.items).toContainEqual(expect.objectContaining({ bundleId: 'well-being', status: 'due' }));
  const [first, again, completed, fhir] = answers.map(({ body }) => body);
  expect(again).toEqual(first);
  expect(completed.scores[1]).toMatchObject({ value: 60, bandId: 'good' });
  expect(fhir.resourceType).toBe('QuestionnaireResponse');
});

pasted('the course’s commands end with the next unit, when pasted', async () => {
  const shell = shellOf('learning');
  expect(shell.match(/^(STAFF|PATIENT)=\$\(curl -s "\$API\/_local\/token\?.+"\)$/gm)).toHaveLength(2);
  // Somebody of the test's own in the place of the seeded patient, whose progress others look at.
  const [staff, me] = [await signIn({ application: 'medinfo', roles: 'admin' }), await signIn()];
  const here = shell
    .replace(/^STAFF=.*$/m, `STAFF=${staff}`)
    .replace(/^PATIENT=.*$/m, `PATIENT=${me}`)
    .replaceAll('$API/v2', baseUrl('medinfo'))
    .replaceAll('$API/de/v1', baseUrl());
  const { stdout } = await promisify(execFile)('sh', ['-c', here]);
  const [today, first, late, completed, course] = stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(today.units).toMatchObject([{ unitId: 'sleep-basics.what-sleep-does' }]);
  expect(first).toMatchObject({ position: 120, percent: 60 });
  expect(late).toEqual(first);
  expect(completed.progress).toMatchObject({ position: 120, percent: 100 });
  expect(course).toMatchObject({ nextUnitId: 'sleep-basics.two-drives', unitsCompleted: 1 });
});
