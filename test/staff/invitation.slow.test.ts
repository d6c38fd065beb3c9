import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStage } from '../auth/stage.ts';
import { eventually } from '../eventually.ts';
import { mailRows } from '../mail/rows.ts';
import { tokenIn } from '../mail/token.ts';
import { newAddress } from '../mails.ts';

/** An invitation: the mail has a link with a token, whoever invites gets a code, and both together work for 24 hours. */

/** What SES answers to the next invitations; each is followed by a mail to whoever invites, at any time. */
const faults: 'error'[] = [];
const inviter = 'admin@example.com';
let own: Awaited<ReturnType<typeof openStage>>;
let rows: ReturnType<typeof mailRows>;
let bearer: string;

beforeAll(async () => {
  own = await openStage({ intercept: { ses: ({ to }) => (to === inviter ? undefined : faults.shift()) } });
  rows = mailRows(own.stage);
  const { body } = await own.issue({
    grantType: 'password',
    username: inviter,
    password: 'admin-admin-admin',
  });
  bearer = body.accessToken;
});
afterAll(async () => {
  rows.close();
  await own.stage.close();
});

const hour = 60 * 60_000;
const password = 'correct-horse-battery';
const invalid = { status: 400, body: { code: 'INVITATION_INVALID' } };

async function mailsTo(email: string) {
  await own.stage.idle();
  return sentTo(email);
}

const sentTo = (email: string) => own.stage.ses?.mails(({ to }) => to === email) ?? [];

async function lastToken(email: string): Promise<string> {
  return tokenIn((await mailsTo(email)).at(-1)?.text);
}

async function invite(locale = 'en') {
  const email = newAddress();
  const body = { email, name: 'Dr. Grace Example', roles: ['physician'], locale };
  const { status, body: invited } = await own.send('POST', '/admin/staff', { bearer, body });
  expect(status).toBe(201);
  return { email, staffId: invited.staffId as string, code: invited.invitationCode as string };
}

const renew = async (staffId: string) =>
  (await own.send('POST', `/admin/staff/${staffId}/invitation`, { bearer })).body.invitationCode as string;

const accept = (email: string, token: string, code: string) =>
  own.send('POST', '/admin/staff/accept', { body: { email, token, code, password } });

/** A token of the same form that is not the one. */
const wrong = (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
const other = (code: string) => String((Number(code) + 1) % 1e8).padStart(8, '0');

describe.each([
  ['en', 'valid for 24 hours'],
  ['de', 'gelten 24 Stunden'],
])('in %s', (locale, said) => {
  test('the mail has the token, the answer the code, and the tables neither; a renewal is in the same language', async () => {
    const { staffId, email, code } = await invite(locale);
    const [mail] = await mailsTo(email);
    const token = tokenIn(mail?.text);
    expect(code).toMatch(/^[0-9]{8}$/);
    // In the fragment: browsers send it to no server.
    expect(mail?.text).toContain(`https://medinfo.dev.example.com/invitations#${token}\n`);
    expect(mail?.html).toContain(`href="https://medinfo.dev.example.com/invitations#${token}"`);
    expect(mail?.text).toContain(said);
    expect(`${mail?.text}${mail?.html}`).not.toContain(code);
    const stored = await rows.everywhere();
    expect(stored).toContain(email);
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(token);
    await renew(staffId);
    expect((await mailsTo(email))[1]?.text).toContain(said);
  });
});

test('neither the token nor the code is enough', async () => {
  const { email, code } = await invite();
  const { email: stranger, code: strange } = await invite();
  const token = await lastToken(email);
  expect(await accept(email, wrong(token), code)).toMatchObject(invalid);
  // Of a key that nobody has.
  expect(await accept(email, `00000000${token.slice(8)}`, code)).toMatchObject(invalid);
  expect(await accept(email, token, other(code))).toMatchObject(invalid);
  // Those of another invitation.
  expect(await accept(email, await lastToken(stranger), code)).toMatchObject(invalid);
  expect(await accept(email, token, strange)).toMatchObject(invalid);
  expect(await accept(stranger, token, code)).toMatchObject(invalid);
  for (const left of [
    { email, code, password },
    { email, token, password },
  ]) {
    const refused = await own.send('POST', `/admin/staff/accept?token=${token}&code=${code}`, { body: left });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(refused.text).not.toContain(token);
    expect(refused.text).not.toContain(code);
  }
  expect((await accept(email, token, code)).status).toBe(200);
  expect(await accept(email, token, code)).toMatchObject(invalid);
});

test('neither is in a log line or in an answer to whoever accepts', async () => {
  const { email, code } = await invite();
  const token = await lastToken(email);
  own.state.lines = [];
  const answers = [
    await accept(email, token, other(code)),
    await accept(email, wrong(token), code),
    await own.send('POST', '/admin/staff/accept', { body: { email, token: `${token}0`, code: `${code}0`, password } }),
    await own.send('POST', '/admin/staff/accept', { body: { email, token, code, password: 'aaaaaaaaaaaaaaaa' } }),
    await accept(email, token, code),
    await accept(email, token, code),
  ];
  await own.stage.idle();
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 200, 400]);
  expect(own.state.lines.length).toBeGreaterThanOrEqual(answers.length);
  const seen = [...own.state.lines, ...answers.map(({ text }) => text)].join('\n');
  expect(seen).not.toContain(token);
  expect(seen).not.toContain(code);
});

test('the fifth wrong try ends it, and a renewal makes it new', async () => {
  const { email, staffId, code } = await invite();
  const token = await lastToken(email);
  for (let tried = 0; tried < 5; tried += 1) expect(await accept(email, token, other(code))).toMatchObject(invalid);
  // The sixth try is right.
  expect(await accept(email, token, code)).toMatchObject(invalid);
  const renewed = await renew(staffId);
  expect((await accept(email, await lastToken(email), renewed)).status).toBe(200);
});

test('it works for 24 hours, and a renewal replaces both and gives 24 more', async () => {
  const inTime = await invite();
  const { email, staffId, code } = await invite();
  const [token, first] = [await lastToken(inTime.email), await lastToken(email)];
  await rows.age(23 * hour);
  expect((await accept(inTime.email, token, inTime.code)).status).toBe(200);
  await rows.age(hour);
  expect(await accept(email, first, code)).toMatchObject(invalid);
  const renewed = await renew(staffId);
  const second = await lastToken(email);
  expect([second === first, renewed === code]).toEqual([false, false]);
  expect(await accept(email, first, code)).toMatchObject(invalid);
  expect(await accept(email, first, renewed)).toMatchObject(invalid);
  expect(await accept(email, second, code)).toMatchObject(invalid);
  await rows.age(23 * hour);
  expect((await accept(email, second, renewed)).status).toBe(200);
  expect(await renew(staffId)).toBe(null);
});

test('a repeated request has the same code, after a renewal the renewed one, and no second mail', async () => {
  const email = newAddress();
  const key = randomUUID();
  const body = { email, name: 'Dr. Grace Example', roles: ['physician'] };
  const invited = () => own.send('POST', '/admin/staff', { bearer, body, headers: { 'Idempotency-Key': key } });
  const [one, again] = [await invited(), await invited()];
  expect([one.status, again.status]).toEqual([201, 201]);
  expect(again.body.invitationCode).toBe(one.body.invitationCode);
  expect(await mailsTo(email)).toHaveLength(1);
  const renewed = await renew(one.body.staffId);
  expect((await invited()).body.invitationCode).toBe(renewed);
  expect(await mailsTo(email)).toHaveLength(2);
  expect((await accept(email, await lastToken(email), renewed)).status).toBe(200);
});

test('a reset is opened in the same way', async () => {
  const { email, staffId, code } = await invite();
  expect((await accept(email, await lastToken(email), code)).status).toBe(200);
  const reset = await own.send('POST', `/admin/staff/${staffId}/reset-mfa`, { bearer });
  expect(reset).toMatchObject({ status: 200, body: { status: 'invited', invitationCode: expect.any(String) } });
  const [, mail] = await mailsTo(email);
  expect(mail?.text).not.toContain(reset.body.invitationCode);
  expect((await accept(email, tokenIn(mail?.text), reset.body.invitationCode)).status).toBe(200);
});

test('who has no link uses up no try, and writes nothing', async () => {
  const { email, code } = await invite();
  const token = await lastToken(email);
  const before = await rows.all();
  for (let tried = 0; tried < 7; tried += 1) expect(await accept(email, wrong(token), code)).toMatchObject(invalid);
  expect(await rows.all()).toEqual(before);
  expect((await accept(email, token, code)).status).toBe(200);
});

test('of two acceptances at once one password stays, and neither works again', async () => {
  const { email, staffId, code } = await invite();
  const token = await lastToken(email);
  const chosen = ['a-first-long-passphrase', 'another-long-passphrase'];
  const answers = await Promise.all(
    chosen.map((each) => own.send('POST', '/admin/staff/accept', { body: { email, token, code, password: each } })),
  );
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(await accept(email, token, code)).toMatchObject(invalid);
  const signIns = [];
  for (const each of [...chosen, password]) {
    signIns.push((await own.issue({ grantType: 'password', username: email, password: each })).status);
  }
  expect(signIns.toSorted()).toEqual([200, 401, 401]);
  const ofThem = (await rows.of('AuditEvents')).filter(({ subject }) => subject === `staff/${staffId}`);
  expect(ofThem.map(({ action }) => action).toSorted()).toEqual(['staff.accepted', 'staff.invited']);
});

test('a mail that comes late replaces no renewal, and is not sent', async () => {
  // The mails of the tests before are out: the refusal meets this one.
  await own.stage.idle();
  faults.push('error');
  const { email, staffId, code } = await invite();
  // SES refused the mail: the queue brings it again later.
  await eventually(() => expect(faults).toEqual([]));
  const renewed = await renew(staffId);
  const token = await eventually(() => tokenIn(sentTo(email).at(-1)?.text));
  own.stage.queues.elapse(hour);
  expect(await mailsTo(email)).toHaveLength(1);
  expect(await accept(email, token, code)).toMatchObject(invalid);
  expect((await accept(email, token, renewed)).status).toBe(200);
});
