import { randomUUID } from 'node:crypto';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { unseen, withAccess } from '../../functions/access/check.ts';
import { type AccessLogEntry, staffPart, staffProfile } from '../../functions/access/data-subject.ts';
import { dataSharing } from '../../functions/product.ts';
import { UserNotFound } from '../../functions/users/errors.ts';
import { accountPart } from '../../lib/contract/accounts.ts';
import { Id, pathId } from '../../lib/contract/fields.ts';
import { permission } from '../../lib/contract/permissions.ts';
import { type Route, route } from '../../lib/contract/route.ts';
import type { Handle } from '../../lib/runtime/handle.ts';
import { paging } from '../../lib/runtime/paging.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { consentRows, putConsent } from '../consented.ts';
import { hangMs } from '../hang.ts';
import { localTables } from '../local-tables.ts';
import { partition } from '../partition.ts';
import { openAccounts } from '../runtime/open-accounts.ts';

/** The check of routes about another person, with every relation, on the local DynamoDB. */

const names = ['Staff', 'CareRelations', 'AccessLog', 'ConsentStates', 'ConsentRecords', 'Accounts'] as const;
const variables = {
  ENVIRONMENT: 'dev',
  APPLICATION: 'medinfo',
  CURSOR_KEY: 'k'.repeat(64),
  STAFF_TABLE: 'Staff',
  CARE_RELATIONS_TABLE: 'CareRelations',
  ACCESS_LOG_TABLE: 'AccessLog',
  CONSENT_STATES_TABLE: 'ConsentStates',
  CONSENT_RECORDS_TABLE: 'ConsentRecords',
  ACCOUNTS_TABLE: 'Accounts',
  ENDED_SESSIONS_TABLE: 'none',
};
const now = new Date('2026-06-01T12:00:00.000Z');

type Sent = { command: string; tables: string[]; consistent: boolean | undefined; round: number };

let sent: Sent[] = [];
/** Counts the answers: calls of one round were sent before any of them was answered. */
let answered = 0;
let failing: (input: string) => Error | null = () => null;

const { client: dynamo } = await localTables(names, { maxAttempts: 1 });
dynamo.middlewareStack.add(
  (next, context) => async (args) => {
    const input = JSON.stringify(args.input);
    const { TableName, RequestItems, ConsistentRead } = args.input as Record<string, unknown>;
    const batched = Object.entries((RequestItems ?? {}) as Record<string, { ConsistentRead?: boolean }>);
    const inTransaction = [...input.matchAll(/"TableName":"(\w+)"/g)].map(([, name]) => String(name));
    sent.push({
      command: String(context.commandName),
      tables: TableName ? [String(TableName)] : [...batched.map(([name]) => name), ...inTransaction],
      consistent: (ConsistentRead ?? batched[0]?.[1].ConsistentRead) as boolean | undefined,
      round: answered,
    });
    const failure = failing(input);
    if (failure) throw failure;
    const answer = await next(args);
    answered += 1;
    return answer;
  },
  // Behind what the check puts into transactions.
  { step: 'serialize' },
);
beforeEach(() => {
  sent = [];
  answered = 0;
  failing = () => null;
});

const reading = permission('test:read', { roles: ['physician', 'admin', 'clinical-safety'] });
const params = z.object({ userId: pathId(UserNotFound) });
const common = { applications: ['medinfo'], auth: reading, params, errors: [UserNotFound] } as const;

const page = route({
  ...common,
  method: 'GET',
  path: '/patients/{userId}',
  summary: 'A patient',
  dataSubject: { param: 'userId', relation: 'care', consent: dataSharing },
  response: z.object({ userId: Id, since: z.string(), consentRecordId: z.nullable(z.string()) }),
});
const showPage: Handle<typeof page> = async ({ params: { userId }, dataSubject }) => ({
  userId,
  since: dataSubject.sites[0]?.since ?? '',
  consentRecordId: dataSubject.consent?.recordId ?? null,
});

const message = route({
  ...common,
  method: 'POST',
  path: '/patients/{userId}/messages',
  summary: 'A message',
  dataSubject: { param: 'userId', relation: 'care', exempt: { roles: ['admin'], because: 'a test' } },
  response: z.object({ ok: z.boolean() }),
});

const list = route({
  ...common,
  params: z.object({}),
  method: 'GET',
  path: '/patients',
  summary: 'Patients',
  dataSubject: { each: 'userId', relation: 'care', consent: dataSharing, withoutConsent: ['userId', 'siteId'] },
  cursor: 'userId',
  items: z.object({ userId: Id, siteId: Id, email: z.nullable(z.string()) }),
});

const flags = route({
  ...common,
  params: z.object({}),
  method: 'GET',
  path: '/flags',
  summary: 'Flags',
  dataSubject: { each: 'userId', relation: 'safety', role: 'clinical-safety' },
  cursor: 'userId',
  items: z.object({ userId: z.nullable(Id) }),
});

const ticket = route({
  ...common,
  params: z.object({}),
  method: 'GET',
  path: '/tickets',
  summary: 'A ticket',
  dataSubject: { each: 'userId', relation: 'support' },
  etag: true,
  response: z.object({ userId: Id }),
});

const hold = route({
  ...common,
  method: 'PUT',
  path: '/patients/{userId}/hold',
  summary: 'A hold',
  dataSubject: { param: 'userId', exception: 'a test' },
  response: z.object({ ok: z.boolean() }),
});

type As = { userId: string; roles?: string };

async function ask<R extends Route>(declared: R, handle: Handle<R>, { userId, roles = 'physician' }: As, id = '') {
  const lines: string[] = [];
  const sources = {
    dynamo: () => dynamo,
    variables,
    realNow: () => now,
    write: (line: string) => void lines.push(line),
  };
  const runtime = { ...sources, clock: () => now, accounts: openAccounts, access: withAccess(sources), paging };
  const handler = serve(declared)(handle)(runtime);
  const event = {
    httpMethod: declared.method,
    path: declared.path.replace('{userId}', id),
    pathParameters: { userId: id },
    multiValueQueryStringParameters: null,
    multiValueHeaders: {},
    body: null,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'plain',
      extendedRequestId: 'req-1',
      identity: { sourceIp: '192.0.2.1' },
      authorizer: { userId, roles, exp: '4102444800' },
    },
  } as unknown as APIGatewayProxyEvent;
  const context = { getRemainingTimeInMillis: () => hangMs } as Context;
  const answer = (await handler(event, context)) as APIGatewayProxyResult;
  return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body), log: lines.join('') };
}

const put = (table: string, item: object) => dynamo.send(new PutCommand({ TableName: table, Item: item }));

async function physician(...sites: string[]): Promise<As> {
  const userId = randomUUID();
  await put('Staff', { userId, part: staffProfile, name: 'Dr. Ada Weiss' });
  for (const siteId of sites) await put('Staff', { userId, part: staffPart(siteId), since: now.toISOString() });
  return { userId };
}

type Told = { sites?: string[]; consent?: 'agreed' | 'revoked'; account?: object };

async function patient({ sites = ['north'], consent, account }: Told = {}): Promise<string> {
  const userId = randomUUID();
  const recordedAt = '2026-05-01T08:00:00.000Z';
  for (const siteId of sites) await put('CareRelations', { userId, siteId, since: recordedAt });
  const recordId = `record-of-${userId.slice(0, 8)}`;
  if (consent) await putConsent(put, { userId, action: consent, recordId, recordedAt });
  if (account) await put('Accounts', { userId, part: accountPart, ...account });
  sent = [];
  answered = 0;
  return userId;
}

async function looksAt(userId: string): Promise<AccessLogEntry[]> {
  return (await partition(dynamo, 'AccessLog', { userId })) as AccessLogEntry[];
}

const never: Handle<typeof page> = () => Promise.reject(new Error('the handler must not run'));

describe('a person in the path', () => {
  test('is shown to staff of a common site, on the consent, and the look is in the log', async () => {
    const [doctor, userId] = [await physician('south', 'north'), await patient({ consent: 'agreed' })];
    const { status, body } = await ask(page, showPage, doctor, userId);
    const consentRecordId = `record-of-${userId.slice(0, 8)}`;
    expect([status, body]).toEqual([200, { userId, since: '2026-05-01T08:00:00.000Z', consentRecordId }]);
    expect(await looksAt(userId)).toEqual([
      {
        userId,
        lookId: expect.stringMatching(/^20260601T120000\.000Z\.[0-9a-f]{16}$/),
        at: now.toISOString(),
        by: doctor.userId,
        name: 'Dr. Ada Weiss',
        roles: ['physician'],
        relation: 'care',
        siteId: 'north',
        action: 'GET /patients/{userId}',
        agreementId: dataSharing,
        consentRecordId,
        requestId: 'req-1',
        expiresAt: Date.parse('2029-06-01T12:00:00.000Z') / 1000,
      },
    ]);
  });

  test('costs five strongly consistent reads in one round trip, and one write after them', async () => {
    const [doctor, userId] = [await physician('north'), await patient({ consent: 'agreed' })];
    await ask(page, showPage, doctor, userId);
    const reads = sent.slice(0, 5);
    expect(reads.map(({ tables }) => tables.join()).toSorted()).toEqual([
      'Accounts',
      'CareRelations',
      'ConsentRecords',
      'ConsentStates',
      'Staff',
    ]);
    expect(reads.map(({ round, consistent }) => [round, consistent])).toEqual(Array(5).fill([0, true]));
    expect(sent.slice(5)).toEqual([
      { command: 'TransactWriteItemsCommand', tables: ['AccessLog'], consistent: undefined, round: 5 },
    ]);
  });

  test.each<[string, Told, string[]]>([
    ['of no site', { sites: [], consent: 'agreed' }, ['north']],
    ['of another site', { sites: ['south'], consent: 'agreed' }, ['north']],
    ['where the caller works nowhere', { consent: 'agreed' }, []],
    ['whose account is closed', { consent: 'agreed', account: { isClosed: true, ends: [] } }, ['north']],
    ['of no site, without consent', { sites: [] }, ['north']],
  ])('%s: 404 as for nobody, and no look', async (_name, told, sites) => {
    const [doctor, userId] = [await physician(...sites), await patient(told)];
    const refused = await ask(page, never, doctor, userId);
    expect(refused).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND', detail: null } });
    expect(refused.body).toEqual((await ask(page, never, doctor, randomUUID())).body);
    expect(await looksAt(userId)).toEqual([]);
  });

  test.each<[string, Told]>([
    ['never consented', {}],
    ['revoked', { consent: 'revoked' }],
    [
      'closed the account since, and opened it again',
      { consent: 'agreed', account: { isClosed: false, ends: ['2026-05-02T00:00:00.000Z'] } },
    ],
  ])('who %s: 403 which names the agreement, and no look', async (_name, told) => {
    const [doctor, userId] = [await physician('north'), await patient(told)];
    const refused = await ask(page, never, doctor, userId);
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'CONSENT_REQUIRED', detail: { agreementId: dataSharing } },
    });
    expect(await looksAt(userId)).toEqual([]);
  });

  test('a consent after an account was opened again counts', async () => {
    const account = { isClosed: false, ends: ['2026-04-01T00:00:00.000Z'] };
    const [doctor, userId] = [await physician('north'), await patient({ consent: 'agreed', account })];
    expect((await ask(page, showPage, doctor, userId)).status).toBe(200);
  });

  test('whose pointer shows no record: 503, no look, and the function counts it without naming the patient', async () => {
    const [doctor, userId] = [await physician('north'), await patient()];
    await put('ConsentStates', consentRows({ userId }).ConsentStates);
    const refused = await ask(page, never, doctor, userId);
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', detail: null } });
    const line = refused.log.split('\n').find((one) => one.includes('consent in doubt')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ consentsInDoubt: 1, application: 'medinfo', agreementId: dataSharing });
    expect(line).not.toContain(userId);
    expect(await looksAt(userId)).toEqual([]);
    // Nobody's patient is not looked up again.
    const stranger = await patient({ sites: [] });
    await put('ConsentStates', consentRows({ userId: stranger }).ConsentStates);
    const nobody = await ask(page, never, doctor, stranger);
    expect([nobody.status, nobody.log.includes('consent in doubt')]).toEqual([404, false]);
  });

  test('an id of no possible form is 404 before anything is read', async () => {
    const doctor = await physician('north');
    sent = [];
    expect((await ask(page, never, doctor, 'a b')).status).toBe(404);
    expect(sent).toEqual([]);
  });
});

describe('the log cannot be written', () => {
  const unwritable = (error: object) => {
    failing = (input) => (input.includes('"AccessLog"') ? Object.assign(new Error('no'), error) : null);
  };

  test.each([
    ['throttled', { name: 'ThrottlingException' }],
    ['not allowed', { name: 'AccessDeniedException', $fault: 'client' }],
    ['a time-out', { name: 'TimeoutError' }],
  ])('%s: 503, nothing is shown, and the cause is in the function’s log', async (_name, error) => {
    const [doctor, userId] = [await physician('north'), await patient({ consent: 'agreed' })];
    unwritable(error);
    const refused = await ask(page, showPage, doctor, userId);
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', detail: null } });
    expect(JSON.stringify(refused.body)).not.toContain(userId);
    expect(refused.log).toContain('access log not written');
  });

  /** As DynamoDB refuses a whole transaction; the SDK does not repeat it. */
  const cancelled = (Code: string, times: number) => {
    let left = times;
    failing = (input) => {
      if (!input.includes('"AccessLog"') || left === 0) return null;
      left -= 1;
      const reasons = { name: 'TransactionCanceledException', CancellationReasons: [{ Code }] };
      return Object.assign(new Error('no'), reasons);
    };
  };

  test.each(['ThrottlingError', 'ProvisionedThroughputExceeded', 'TransactionConflict'])(
    '%s of its transaction: it is written again, once, and then the page is shown',
    async (code) => {
      const [doctor, userId] = [await physician('north'), await patient({ consent: 'agreed' })];
      cancelled(code, 2);
      expect((await ask(page, showPage, doctor, userId)).status).toBe(200);
      expect(await looksAt(userId)).toHaveLength(1);
    },
  );

  test('its transaction is cancelled as often as it is tried: 503, and nothing is shown', async () => {
    const [doctor, userId] = [await physician('north'), await patient({ consent: 'agreed' })];
    cancelled('ThrottlingError', Number.POSITIVE_INFINITY);
    const refused = await ask(page, showPage, doctor, userId);
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', detail: null } });
    expect(refused.log).toMatch(/access log not written.*TransactionCanceledException/);
    failing = () => null;
    expect(await looksAt(userId)).toEqual([]);
  });

  test.each(['Staff', 'CareRelations', 'ConsentStates', 'ConsentRecords', 'Accounts'])(
    '%s cannot be read: 503',
    async (table) => {
      const [doctor, userId] = [await physician('north'), await patient({ consent: 'agreed' })];
      failing = (input) =>
        input.includes(`"${table}"`) ? Object.assign(new Error('no'), { name: 'ThrottlingException' }) : null;
      expect(await ask(page, never, doctor, userId)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    },
  );
});

describe('the writes of the handler', () => {
  const writing =
    (userId: string, token: string = randomUUID()): Handle<typeof message> =>
    async () => {
      const Item = { userId, siteId: `written-${token}`, since: 'now' };
      await dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: 'CareRelations', Item } }] }));
      return { ok: true };
    };

  test('have the look in their transaction, and no second look after it', async () => {
    const [doctor, userId] = [await physician('north'), await patient()];
    expect((await ask(message, writing(userId), doctor, userId)).status).toBe(200);
    const writes = sent.filter(({ command }) => command.startsWith('Transact'));
    expect(writes.map(({ tables }) => tables)).toEqual([['CareRelations', 'AccessLog']]);
    expect(await looksAt(userId)).toMatchObject([{ action: 'POST /patients/{userId}/messages', siteId: 'north' }]);
  });

  test('are not done if the look cannot be written', async () => {
    const [doctor, userId] = [await physician('north'), await patient()];
    failing = (input) =>
      input.includes('"AccessLog"') ? Object.assign(new Error('no'), { name: 'ThrottlingException' }) : null;
    expect((await ask(message, writing(userId, 'x'), doctor, userId)).status).toBe(503);
    failing = () => null;
    const relations = await partition(dynamo, 'CareRelations', { userId });
    expect(relations.map(({ siteId }) => siteId)).toEqual(['north']);
  });

  test('two writes in one request are one look', async () => {
    const [doctor, userId] = [await physician('north'), await patient()];
    const twice: Handle<typeof message> = async (input) => {
      await writing(userId)(input);
      return writing(userId)(input);
    };
    expect((await ask(message, twice, doctor, userId)).status).toBe(200);
    expect(await looksAt(userId)).toHaveLength(1);
  });

  test('a write without a transaction is logged after it, like a look', async () => {
    const [doctor, userId] = [await physician('north'), await patient()];
    expect((await ask(message, async () => ({ ok: true }), doctor, userId)).status).toBe(200);
    expect(await looksAt(userId)).toHaveLength(1);
  });

  test('about the person in its answer is logged after it, when the person is known', async () => {
    const userId = await patient();
    const safety = { userId: randomUUID(), roles: 'clinical-safety' };
    const acknowledging: Handle<typeof flags> = async () => {
      const Item = { userId, siteId: 'acknowledged', since: 'now' };
      await dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: 'CareRelations', Item } }] }));
      return { items: [{ userId }], next: null };
    };
    expect((await ask(flags, acknowledging, safety)).status).toBe(200);
    expect(await looksAt(userId)).toMatchObject([{ by: safety.userId, relation: 'safety' }]);
  });

  test('the writes of two requests at once are logged under each person', async () => {
    const doctor = await physician('north');
    const people = [await patient(), await patient(), await patient()];
    await Promise.all(people.map((userId) => ask(message, writing(userId), doctor, userId)));
    for (const userId of people) expect(await looksAt(userId)).toHaveLength(1);
  });
});

describe('an answer that is no look', () => {
  test('a row that is about nobody, as the handler says, is not logged', async () => {
    const userId = await patient({ sites: [] });
    const admin = { userId: randomUUID(), roles: 'admin' };
    expect((await ask(hold, async () => unseen({ ok: true }), admin, userId)).status).toBe(200);
    expect(await looksAt(userId)).toEqual([]);
  });

  test('a refusal of the handler is not logged', async () => {
    const [doctor, userId] = [await physician('north'), await patient({ consent: 'agreed' })];
    expect((await ask(page, async ({ fail }) => fail(UserNotFound), doctor, userId)).status).toBe(404);
    expect((await ask(page, () => Promise.reject(new Error('x')), doctor, userId)).status).toBe(500);
    expect(await looksAt(userId)).toEqual([]);
  });
});

describe('exempt callers', () => {
  test('need no relation, and are logged without one', async () => {
    const userId = await patient({ sites: [] });
    const admin = { userId: randomUUID(), roles: 'admin' };
    expect((await ask(message, async () => ({ ok: true }), admin, userId)).status).toBe(200);
    expect(await looksAt(userId)).toMatchObject([{ by: admin.userId, name: null, relation: null, siteId: null }]);
  });

  test('an exception needs no consent, and is logged', async () => {
    const userId = await patient({ sites: [] });
    const admin = { userId: randomUUID(), roles: 'admin' };
    expect((await ask(hold, async () => ({ ok: true }), admin, userId)).status).toBe(200);
    expect(sent.map(({ tables }) => tables.join())).toEqual(['Staff', 'AccessLog']);
    expect(await looksAt(userId)).toMatchObject([{ action: 'PUT /patients/{userId}/hold', relation: null }]);
  });
});

describe('people in the rows of an answer', () => {
  const listing =
    (people: string[]): Handle<typeof list> =>
    async ({ dataSubject }) => {
      await dataSubject.consentsOf([...people, ...people]);
      const rows = people.map((userId) => ({
        userId,
        siteId: dataSubject.sites[0] ?? '',
        email: `${userId}@example.org`,
      }));
      return { items: rows, next: null };
    };

  test('rows of people who do not consent have only the declared fields, and each row is a look', async () => {
    const doctor = await physician('north');
    const [sharing, silent] = [await patient({ consent: 'agreed' }), await patient()];
    const closed = await patient({ consent: 'agreed', account: { isClosed: true, ends: [] } });
    const { status, body } = await ask(list, listing([sharing, silent, closed]), doctor);
    expect(status).toBe(200);
    expect(body.items).toEqual([
      { userId: sharing, siteId: 'north', email: `${sharing}@example.org` },
      { userId: silent, siteId: 'north', email: null },
    ]);
    expect(await looksAt(sharing)).toMatchObject([{ agreementId: dataSharing, siteId: 'north', relation: 'care' }]);
    expect(await looksAt(silent)).toMatchObject([{ agreementId: null, consentRecordId: null, siteId: 'north' }]);
    // Who has asked to be deleted is nobody's patient any more: no row, and no look.
    expect(await looksAt(closed)).toEqual([]);
  });

  test('a hundred people cost three reads, and one for each of them, in two round trips, and one write', async () => {
    const doctor = await physician('north');
    const people = await Promise.all(Array.from({ length: 100 }, () => patient({ consent: 'agreed' })));
    sent = [];
    answered = 0;
    expect((await ask(list, listing(people), doctor)).body.items).toHaveLength(100);
    const newest = sent.filter(({ tables }) => tables.join() === 'ConsentRecords');
    expect(newest).toHaveLength(100);
    // Some at a time: a client has fifty connections.
    expect(newest.filter(({ round }) => round === 1)).toHaveLength(40);
    const others = sent.filter((one) => !newest.includes(one));
    expect(others.map(({ tables, round }) => [[...new Set(tables)].join(), round])).toEqual([
      ['Staff', 0],
      ['ConsentStates', 1],
      ['Accounts', 1],
      ['AccessLog', 103],
    ]);
    expect(sent.slice(0, -1).map(({ consistent }) => consistent)).toEqual(Array(103).fill(true));
  });

  test('who is in doubt is shown like one who does not consent, and is counted; the others are shown', async () => {
    const doctor = await physician('north');
    const [sharing, forged] = [await patient({ consent: 'agreed' }), await patient()];
    await put('ConsentStates', consentRows({ userId: forged }).ConsentStates);
    const { status, body, log } = await ask(list, listing([sharing, forged]), doctor);
    expect([status, body.items.map(({ email }: { email: unknown }) => email)]).toEqual([
      200,
      [`${sharing}@example.org`, null],
    ]);
    expect(log.split('consent in doubt')).toHaveLength(2);
    expect(await looksAt(forged)).toMatchObject([{ agreementId: null, consentRecordId: null }]);
  });

  test('a person twice in a page is one look', async () => {
    const [doctor, userId] = [await physician('north', 'south'), await patient({ consent: 'agreed' })];
    const twice: Handle<typeof list> = async (input) => {
      const { items } = (await listing([userId])(input)) as { items: z.output<typeof list.items>[] };
      return { items: [...items, ...items], next: null };
    };
    expect((await ask(list, twice, doctor)).body.items).toHaveLength(2);
    expect(await looksAt(userId)).toHaveLength(1);
  });

  test('a row of somebody whose consent was not asked for is a defect: 500, and nothing is shown', async () => {
    const [doctor, userId] = [await physician('north'), await patient({ consent: 'agreed' })];
    const careless: Handle<typeof list> = async () => ({
      items: [{ userId, siteId: 'north', email: 'shown@example.org' }],
      next: null,
    });
    const refused = await ask(list, careless, doctor);
    expect(refused).toMatchObject({ status: 500, body: { code: 'INTERNAL' } });
    expect(await looksAt(userId)).toEqual([]);
  });

  test('an empty page writes nothing', async () => {
    const doctor = await physician('north');
    sent = [];
    expect((await ask(list, listing([]), doctor)).status).toBe(200);
    expect(sent.map(({ tables }) => tables.join())).toEqual(['Staff']);
  });

  test('safety: needs the role and no consent, and rows about nobody are not looks', async () => {
    const userId = await patient({ sites: [] });
    const rows: Handle<typeof flags> = async () => ({ items: [{ userId }, { userId: null }], next: null });
    const safety = { userId: randomUUID(), roles: 'clinical-safety' };
    expect((await ask(flags, rows, safety)).body.items).toEqual([{ userId }, { userId: null }]);
    expect(await looksAt(userId)).toMatchObject([{ relation: 'safety', agreementId: null }]);
    expect(await ask(flags, rows, await physician('north'))).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect(await looksAt(userId)).toHaveLength(1);
  });

  test('support: the ticket is the relation; also of a single answer with an ETag', async () => {
    const userId = await patient({ sites: [] });
    const shown = await ask(ticket, async () => ({ etag: '"1"', body: { userId } }), await physician());
    expect([shown.status, shown.body]).toEqual([200, { userId }]);
    expect(await looksAt(userId)).toMatchObject([{ relation: 'support', siteId: null, agreementId: null }]);
  });
});

test('a function of such a route without the check fails when it is loaded', () => {
  const runtime = { variables, clock: () => now, realNow: () => now, write: () => undefined };
  expect(() => serve(page)(showPage)(runtime)).toThrow('no check of who may look');
});
