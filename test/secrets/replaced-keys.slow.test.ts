import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed } from '../../bin/seed.ts';
import { isLeft } from '../../functions/auth/stores/recovery-codes.ts';
import { declarations } from '../../functions/domains.ts';
import type { Application } from '../../lib/contract/register.ts';
import { cursorVariable, secretVariable } from '../../lib/contract/secrets.ts';
import { keyIdOf } from '../../lib/runtime/hmac-and-encrypt.ts';
import { asked } from '../access-codes/people.ts';
import { person } from '../auth/people.ts';
import { openStage } from '../auth/stage.ts';
import { tokenAt } from '../caller-at.ts';
import { newAddress } from '../mails.ts';
import { definition } from '../research/study.ts';
import { handlesNamed } from '../tables.ts';

/**
 * All secrets of a stage are replaced while it runs (decision 61). Before each step things are made: they work until the key that they
 * were made with is gone, and are then refused like what nobody made.
 */

let own: Awaited<ReturnType<typeof openStage>>;
let dynamo: DynamoDBDocumentClient;
/** By variable: the key that the template made, and the one that replaces it. */
let keys: ReadonlyMap<string, readonly [string, string]>;

const texts = {
  add: (before: string, after: string) => `${before} next:${after}`,
  use: (before: string, after: string) => `${after} old:${before}`,
  drop: (_before: string, after: string) => after,
};

/** @param isWanted the functions that learn it; the others run with what they had */
function give(step: keyof typeof texts, isWanted?: (operation: string) => boolean): void {
  for (const [variable, pair] of keys) own.stage.replaceVariable(variable, texts[step](...pair), isWanted);
}

const idsOf = (variable: string) => (keys.get(variable) ?? []).map(keyIdOf) as [string, string];

beforeAll(async () => {
  own = await openStage({ seed });
  const { endpoint, region, credentials } = own.stage.data;
  dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const variables = [...declarations.secrets.map(secretVariable), cursorVariable];
  const functions = own.stage.model().functions;
  keys = new Map(
    variables.map((variable) => {
      const before = functions.map(({ environment }) => environment[variable]).find(Boolean) ?? '';
      return [variable, [before, `${randomUUID()}${randomUUID()}`.replaceAll('-', '')]];
    }),
  );
});
afterAll(async () => {
  dynamo.destroy();
  await own.stage.close();
});

const send = (path: string, body?: unknown, more: { bearer?: string; application?: Application } = {}) =>
  own.send('POST', path, { application: 'sleepcare', ...(body !== undefined && { body }), ...more });

const token = (roles: string, application: Application, user: string = randomUUID()) =>
  tokenAt(own.stage, { user, roles, application });

async function mailsTo(address: string): Promise<{ code: string | null }[]> {
  await own.stage.idle();
  const answer = await fetch(`${own.stage.url}/_local/mails?to=${encodeURIComponent(address)}`);
  return ((await answer.json()) as { items: { code: string | null }[] }).items;
}

const signUp = (email: string) => send('/users', { email, locale: 'de-DE' });

/** An address whose mail has the code of a sign-up. */
async function invited() {
  const email = newAddress();
  expect((await signUp(email)).status).toBe(202);
  const code = (await mailsTo(email)).at(-1)?.code ?? '';
  return { email, code, verify: () => verified(email, code) };
}

const verified = (email: string, code: string) =>
  send('/users/verify', { email, code, password: 'a-long-first-passphrase', birthYear: 1980 });

async function session() {
  const { body, status } = await own.issue({ grantType: 'password', ...person('patient') }, 'sleepcare');
  expect(status).toBe(200);
  return body as { accessToken: string; refreshToken: string };
}

const renewed = (refreshToken: string) => own.issue({ grantType: 'refresh_token', refreshToken }, 'sleepcare');

async function accessCode(): Promise<{ accessCodeId: string; code: string }> {
  const bearer = await token('admin', 'medinfo');
  const { status, body } = await send(
    '/access-codes/batches',
    { ...asked, count: 1 },
    { bearer, application: 'medinfo' },
  );
  expect(status).toBe(201);
  return body.codes[0];
}

const redeemed = async (code: string) =>
  send('/access-codes/redeem', { code }, { bearer: await token('patient', 'sleepcare') });

async function studyCode(): Promise<string> {
  const as = { bearer: await token('researcher', 'medinfo'), application: 'medinfo' as const };
  const { status, body } = await send('/research/studies', definition, as);
  expect([status, body]).toEqual([201, expect.anything()]);
  const made = await send(`/research/studies/${body.studyId}/code`, undefined, as);
  expect(made.status).toBe(200);
  return made.body.code;
}

const lookedUp = async (code: string) =>
  send('/users/me/studies/lookup', { code }, { bearer: await token('patient', 'sleepcare') });

/** A page of a list of one's own, and what follows it. */
async function cursor(bearer: string): Promise<string> {
  const first = await own.send('GET', '/access-codes/batches?limit=1', { bearer, application: 'medinfo' });
  expect(first.status).toBe(200);
  return String(first.body.metadata.nextCursor);
}

const page = (at: string, bearer: string) =>
  own.send('GET', `/access-codes/batches?limit=1&cursor=${at}`, { bearer, application: 'medinfo' });

const failing = (username: string) =>
  own.issue({ grantType: 'password', username, password: 'a-wrong-passphrase' }, 'sleepcare');

async function keysIn(table: string, attribute: string): Promise<string[]> {
  const TableName = own.stage.data.tables(table);
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items.flatMap((row) => (typeof row[attribute] === 'string' ? [row[attribute]] : []));
}

describe('what is made before, between and after', () => {
  test('works until its key is gone, and is then refused as unknown', async () => {
    const staff = await token('admin', 'medinfo');
    const [oldId, newId] = idsOf('SIGN_IN_KEY_SECRET');
    // The functions have one key so far.
    const [kept, ended, idle] = [await session(), await session(), await session()];
    expect(kept.refreshToken).toContain(`.${oldId}.`);
    const [first, second, late] = [await invited(), await invited(), await invited()];
    const [code, other, forgotten] = [await accessCode(), await accessCode(), await accessCode()];
    expect(code.accessCodeId).toMatch(new RegExp(`^${idsOf('ACCESS_CODE_KEY_SECRET')[0]}\\.`));
    const study = await studyCode();
    const at = await cursor(staff);
    const { password } = person('patient');
    const recovery = await send('/auth/recovery-codes', { password }, { bearer: kept.accessToken });
    expect(recovery.status).toBe(200);

    give('add');
    let { refreshToken } = (await renewed(kept.refreshToken)).body;
    expect(refreshToken).toContain(`.${oldId}.`);
    expect((await first.verify()).status).toBe(200);
    expect((await redeemed(other.code)).status).toBe(200);
    expect((await lookedUp(study)).status).toBe(200);
    expect((await page(at, staff)).status).toBe(200);

    // Half of the functions use the new key, and the others only know it.
    give('use', (operation) => operation !== 'revoke-token' && operation !== 'redeem-access-code');
    const between = await session();
    expect(between.refreshToken).toContain(`.${newId}.`);
    const newCode = await accessCode();
    expect((await redeemed(newCode.code)).status).toBe(200);
    expect((await send('/auth/tokens/revoke', { refreshToken: between.refreshToken })).status).toBe(200);
    expect((await renewed(between.refreshToken)).body.detail).toEqual({ reason: 'ended' });

    give('use');
    const after = await session();
    const renewal = await renewed(refreshToken);
    expect(renewal.status).toBe(200);
    expect(renewal.body.refreshToken).toContain(`.${newId}.`);
    ({ refreshToken } = renewal.body);
    // A newer code takes the place of the older one, whatever their keys.
    await signUp(second.email);
    const newer = (await mailsTo(second.email)).at(-1)?.code ?? '';
    expect(newer).not.toBe(second.code);
    expect((await second.verify()).status).toBe(400);
    expect((await verified(second.email, newer)).status).toBe(200);
    expect((await redeemed(code.code)).status).toBe(200);
    expect((await redeemed(code.code)).status).toBe(409);
    expect((await lookedUp(study)).status).toBe(200);
    expect((await page(at, staff)).status).toBe(200);
    const [laterCode, laterStudy, laterAt] = [await accessCode(), await studyCode(), await cursor(staff)];
    expect(laterCode.accessCodeId).toMatch(new RegExp(`^${idsOf('ACCESS_CODE_KEY_SECRET')[1]}\\.`));
    const laterMail = await invited();

    give('drop');
    // Made with the key that is gone, or resting on what was.
    expect(await renewed(idle.refreshToken)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_GRANT', detail: null },
    });
    expect((await renewed(refreshToken)).body).toMatchObject({ code: 'INVALID_GRANT', detail: { reason: 'ended' } });
    expect((await send('/auth/tokens/revoke', { refreshToken: ended.refreshToken })).status).toBe(200);
    expect((await send('/auth/tokens/revoke', { refreshToken })).status).toBe(200);
    expect((await late.verify()).status).toBe(400);
    expect(await redeemed(forgotten.code)).toMatchObject({ status: 404, body: { code: 'ACCESS_CODE_NOT_FOUND' } });
    expect(await lookedUp(study)).toMatchObject({ status: 404, body: { code: 'STUDY_CODE_NOT_FOUND' } });
    expect(await page(at, staff)).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    // Made with the new one.
    expect((await renewed(after.refreshToken)).status).toBe(200);
    expect((await laterMail.verify()).status).toBe(200);
    expect((await redeemed(laterCode.code)).status).toBe(200);
    expect((await lookedUp(laterStudy)).status).toBe(200);
    expect((await page(laterAt, staff)).status).toBe(200);
    // Made without a key.
    const { sub } = JSON.parse(Buffer.from(kept.accessToken.split('.')[1] ?? '', 'base64url').toString());
    const tables = handlesNamed(dynamo, ['RecoveryCodes', 'AuditEvents'], own.stage.data.tables);
    expect(await isLeft({ tables }, sub, recovery.body.codes[0])).toMatchObject({ left: 9 });
    // No function failed.
    expect(own.state.lines.filter((line) => /"status":5\d\d/.test(line))).toEqual([]);
    expect((await keysIn('Sessions', 'sealedToken')).every((text) => /^[0-9a-f]{8}\./.test(text))).toBe(true);
  });
});

describe('what is counted', () => {
  // After the tests before it only the new key is left. Here the old one replaces it.
  beforeAll(() => {
    keys = new Map([...keys].map(([variable, [before, after]]) => [variable, [after, before]]));
  });

  test('a lock stays, and of what is tried at once ten get through, whichever key the functions use', async () => {
    const [locked, tried] = [newAddress(), newAddress()];
    const statuses = async (username: string, count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => failing(username)));
      return answers.map(({ status }) => status).toSorted();
    };
    expect(await statuses(locked, 11)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(await statuses(tried, 4)).toEqual([401, 401, 401, 401]);
    give('add');
    expect(await statuses(locked, 1)).toEqual([429]);
    expect(await statuses(tried, 3)).toEqual([401, 401, 401]);
    give('use');
    expect(await statuses(locked, 1)).toEqual([429]);
    expect(await statuses(tried, 5)).toEqual([401, 401, 401, 429, 429]);
    give('add');
    expect(await statuses(tried, 1)).toEqual([429]);
  });

  test('five mails an hour go to an address, and no more while its key is replaced', async () => {
    give('drop');
    keys = new Map([...keys].map(([variable, [before, after]]) => [variable, [after, before]]));
    const email = newAddress();
    await signUp(email);
    await signUp(email);
    await own.stage.idle();
    give('add');
    await signUp(email);
    await own.stage.idle();
    give('use');
    for (let count = 0; count < 4; count += 1) await signUp(email);
    expect(await mailsTo(email)).toHaveLength(5);
  });

  test('a success clears the count under each key', async () => {
    const { username } = person('patient');
    for (let count = 0; count < 9; count += 1) expect((await failing(username)).status).toBe(401);
    await session();
    for (let count = 0; count < 9; count += 1) expect((await failing(username)).status).toBe(401);
    await session();
  });
});

test('a function whose secret is no ring answers 500, and its lines do not show the text', async () => {
  const text = 'not a ring of keys at all';
  own.stage.replaceVariable('SIGN_IN_KEY_SECRET', text);
  own.state.lines.length = 0;
  expect((await own.issue({ grantType: 'refresh_token', refreshToken: 'x' }, 'sleepcare')).status).toBe(500);
  const lines = own.state.lines.join('\n');
  expect(lines).toContain('"name":"NoKeyRing"');
  expect(lines).not.toContain(text);
});
