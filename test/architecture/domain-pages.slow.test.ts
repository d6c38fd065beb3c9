import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createUser, generated } from '../../bin/create-user.ts';
import { stageAccess } from '../../bin/stage-access.ts';
import { baseUrl, call, signIn } from '../api.ts';
import { eventually } from '../eventually.ts';
import { hangMs } from '../hang.ts';
import { readZip } from '../personal-exports/read-zip.ts';
import { pasted, shellOf } from './pages.ts';
import { answersOf, runCommands } from './pasted-commands.ts';

/** The commands of docs/domains, which do what the text around them says. */

pasted('the story of sharing gives what the text around it says', async () => {
  // The test's own patient, so the answers of others do not change. The lines of other patients are not checked.
  const user = randomUUID();
  const token = await signIn({ user });
  await call('GET', '/users/me', { token });
  const [joined, unshared, agreed, shared, log, revoked, left, empty] = await answersOf('sharing', {
    tokens: { PATIENT: token },
    texts: { '/v2/crm/patients': '/v2/crm/patients?limit=100' },
  });
  const lineIn = (list: { items: { userId: string }[] }) => list.items.find(({ userId }) => userId === user);
  expect(joined).toMatchObject({ siteId: 'example-site', missingAgreementId: 'data-sharing' });
  expect(lineIn(unshared)).toMatchObject({ since: joined.since, sharedSince: null, versionId: null, email: null });
  expect(lineIn(shared)).toMatchObject({ sharedSince: agreed.agreedAt, versionId: 'data-sharing-1.0' });
  const look = { name: 'Dr. Ada Example', site: { siteId: 'example-site' }, action: 'GET /crm/patients' };
  expect(log.items).toMatchObject([
    { ...look, consent: { agreementId: 'data-sharing' } },
    { ...look, consent: null },
  ]);
  expect([revoked.agreed, left.success, lineIn(empty)]).toEqual([false, true, undefined]);
});

pasted('the personal export: what is pasted ends with a ZIP', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'personal-export-'));
  await runCommands('personal-export', { cwd });
  const files = await readZip(readFileSync(join(cwd, 'personal-data.zip')));
  rmSync(cwd, { recursive: true });
  expect([...files.keys()]).toContain('index.html');
  expect(JSON.parse(String(files.get('users.json'))).Users).toMatchObject([{ email: 'patient@example.com' }]);
});

pasted('the access codes’ commands issue a code and redeem it, when pasted', async () => {
  // The test's own patient, because other tests look at the seeded one.
  const [staff, me] = [await signIn({ application: 'medinfo', roles: 'admin' }), await signIn()];
  const [validated, redeemed, listed] = await answersOf('access-codes', { tokens: { STAFF: staff, PATIENT: me } });
  expect(validated).toEqual({ valid: true, reason: null, programmeId: 'insomnia-basic', grantsDays: 90 });
  expect(redeemed).toMatchObject({ programmeId: 'insomnia-basic', status: 'active', missingAgreementId: null });
  expect(listed.items).toEqual([expect.objectContaining({ entitlementId: redeemed.entitlementId })]);
});

pasted('a message to a group is on its member’s board when the commands end', async () => {
  // The test's own patient, because other tests look at the seeded one.
  const [staff, me] = [await signIn({ application: 'medinfo', roles: 'admin' }), await signIn()];
  const [member, done] = await answersOf('groups', { tokens: { STAFF: staff, PATIENT: me } });
  const { groupId } = member;
  expect(done).toMatchObject({ groupId, status: 'done', total: 1, posted: 1, failed: 0, skipped: 0 });
  const { items } = (await call('GET', '/agent-board/messages', { token: me })).body;
  expect(items).toMatchObject([{ title: 'A new page' }]);
});

pasted('a study is joined and left as the text says', async () => {
  const [researcher, me] = [await signIn({ application: 'medinfo', roles: 'researcher' }), await signIn()];
  const [open, offer, agreed, joined, number, left] = await answersOf('research', {
    tokens: { RESEARCHER: researcher, PATIENT: me },
  });
  const { studyId } = open;
  expect(open).toMatchObject({ state: 'recruiting', hasCode: true });
  expect(offer).toMatchObject({ studyId, isOpen: true, isAgreed: false });
  expect(agreed).toMatchObject({ agreementId: 'research-data', agreed: true });
  expect(joined).toMatchObject({ studyId, isParticipating: true });
  expect(number).toEqual({ studyId, count: null, isFewerThanFive: true });
  expect(left).toMatchObject({ success: true, studyId, keepExported: false });
});

pasted('a night is written down as the text says, with nothing but curl and node', async () => {
  // The test's own user, so the seeded diary does not change.
  const [entry, summary, window] = await answersOf('sleep', { texts: { 'patient@example.com': randomUUID() } });
  expect(entry).toMatchObject({ figures: { totalSleepMinutes: 405, efficiencyPercent: 90, midSleep: '03:55' } });
  expect(summary).toMatchObject({ nights: 1, totalSleepMinutes: { mean: 405 } });
  expect(window).toMatchObject({ status: 'none', next: { nights: 1, nightsNeeded: 5 } });
});

pasted('pages of FHIR are read as the text says, with nothing but curl', async () => {
  const [first, next] = await answersOf('fhir');
  expect(first).toMatchObject({ resourceType: 'Bundle', type: 'searchset' });
  expect(first.entry).toHaveLength(5);
  expect(next.entry[0].resource).toMatchObject({ resourceType: 'Observation' });
  expect(next.link[0].url).toContain('cursor=');
});

pasted('a ticket is opened and answered as the text says, with nothing but curl', async () => {
  // The test's own patient, whose board is empty.
  const [list, answer, comments, board] = await answersOf('support', {
    texts: { 'patient@example.com': randomUUID() },
  });
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
  // The test's own patient, because other tests look at the seeded one.
  const [staff, me] = [await signIn({ application: 'medinfo', roles: 'admin' }), await signIn()];
  const [today, first, late, completed, course] = await answersOf('learning', {
    tokens: { STAFF: staff, PATIENT: me },
  });
  expect(today.units).toMatchObject([{ unitId: 'sleep-basics.what-sleep-does' }]);
  expect(first).toMatchObject({ position: 120, percent: 60 });
  expect(late).toEqual({ ...first, outcome: 'superseded' });
  expect(completed.progress).toMatchObject({ position: 120, percent: 100 });
  expect(course).toMatchObject({ nextUnitId: 'sleep-basics.two-drives', unitsCompleted: 1 });
});

pasted('the walk of deploying.md has the answers that it names, and its three mails', async () => {
  vi.stubEnv('PORT', new URL(baseUrl()).port);
  const [email, temporary] = [`walk-${randomUUID()}@example.com`, generated('')];
  const user = { email, password: temporary, roles: ['patient'], isPermanent: false };
  await createUser(await stageAccess({ local: true }), 'sleepcare', user);
  vi.unstubAllEnvs();
  const page = readFileSync(new URL('../../docs/deploying.md', import.meta.url), 'utf8');
  const [, shell = ''] = /<!-- walk -->\n```sh\n([\s\S]*?)```/.exec(page) ?? [];
  const typed = shell
    .replace(/\$\(aws [\s\S]*?"\)/, baseUrl())
    .replaceAll('you@example.com', email)
    .replace('"temporaryPassword":"…"', `"temporaryPassword":"${temporary}"`)
    .replaceAll('"password":"…"', '"password":"a quiet harbour at seven"');
  const { stdout } = await promisify(execFile)('sh', ['-euc', typed], { timeout: hangMs });
  const answers = stdout.replaceAll('}{', '}\n{').trim().split('\n');
  expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([
    { success: true },
    { agreementId: 'marketing', agreed: true },
    { items: [{ action: 'agreed', versionId: 'marketing-1.0' }] },
    { questionnaireId: 'who-5', status: 'draft' },
    { status: 'completed', scores: [{}, { value: 60 }] },
    { status: 'verification-sent' },
  ]);
  const subjects = await eventually(async () => {
    const answer = await fetch(new URL(`/_local/mails?to=${email}`, baseUrl()));
    const { items } = (await answer.json()) as { items: { subject: string }[] };
    if (items.length < 3) throw new Error(`${items.length} mails`);
    return items.map(({ subject }) => subject).toSorted();
  });
  expect(subjects).toEqual([
    'A new sign-in to your account',
    'Your code for a new password',
    'Your password was changed',
  ]);
});
