import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AgreementNotFound } from '../../functions/agreements/errors.ts';
import { readOwnConsents } from '../../functions/agreements/permissions.ts';
import { writeOwnConsents } from '../../functions/consents/permissions.ts';
import { ConsentRecords } from '../../functions/consents/tables.ts';
import { operations } from '../../functions/domains.ts';
import { type Account, neverClosed } from '../../lib/contract/accounts.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import { type Endings, endedSession } from '../../lib/contract/ended-sessions.ts';
import { route } from '../../lib/contract/route.ts';
import { append, read as reads } from '../../lib/contract/uses.ts';
import { accountGate } from '../../lib/runtime/account-gate.ts';
import { readEnvironment } from '../../lib/runtime/environment.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import type { Handling } from '../../lib/runtime/handle.ts';
import { serveWithPrefetch } from '../../lib/runtime/serve.ts';
import { hangMs } from '../hang.ts';
import { openAccounts } from './open-accounts.ts';

/** What a handler in two steps may do before the account is known to be open, and what its caller is told. */

const common = {
  summary: 'A thing',
  applications: ['sleepcare'],
  query: z.object({ size: z.optional(z.coerce.number()) }),
  response: z.object({ found: z.string(), at: z.string() }),
  errors: [AgreementNotFound],
} as const;
const looking = route({
  ...common,
  method: 'GET',
  path: '/things',
  auth: readOwnConsents,
  uses: [reads(ConsentRecords)],
});
const changing = route({
  ...common,
  method: 'POST',
  path: '/things',
  auth: writeOwnConsents,
  uses: [reads(ConsentRecords), append(ConsentRecords)],
});

const closed: Account = { isClosed: true, ends: [] };

type Declared = typeof looking | typeof changing;
type Given = {
  account?: () => Promise<Account>;
  endings?: Endings;
  /** What the token says beyond the user. */
  origin?: { sessionId?: string; signedInAt?: string };
  read?: () => Promise<string>;
  size?: string;
};

const dynamo = () => ({}) as unknown as DynamoDBDocumentClient;

/** What happened, in order, and the answer. Each call to a dependency is held until it is let go. */
async function ask(declaration: Declared, given: Given = {}) {
  const { account = async () => neverClosed, endings = {}, origin, read, size } = given;
  const seen: string[] = [];
  let isWriting = false;
  const runtime = {
    variables: {
      ENVIRONMENT: 'dev',
      APPLICATION: 'sleepcare',
      CONSENT_RECORDS_TABLE: 'r',
      ACCOUNTS_TABLE: 'a',
      ENDED_SESSIONS_TABLE: 'e',
    },
    clock: async () => {
      seen.push('clock');
      return new Date('2026-03-01T12:00:00.000Z');
    },
    realNow: () => new Date('2026-06-01T12:00:00.000Z'),
    dynamo,
    write: () => true,
    accounts: {
      read: async () => {
        seen.push('account');
        return { account: await account(), endings };
      },
      whileOpen: async <T>(_account: unknown, act: () => Promise<T>) => {
        isWriting = true;
        return act();
      },
    },
  };
  const steps: Required<Handling<Declared, string>> = {
    prefetch: async () => {
      seen.push(`read${isWriting ? ', guarded' : ''}`);
      return read ? read() : 'a row';
    },
    respond: async ({ now }, found) => {
      seen.push(`answer${isWriting ? ', guarded' : ''}`);
      return { found, at: now.toISOString() };
    },
  };
  const event = {
    httpMethod: declaration.method,
    path: declaration.path,
    pathParameters: null,
    multiValueQueryStringParameters: size === undefined ? null : { size: [size] },
    multiValueHeaders: {},
    body: null,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'plain',
      extendedRequestId: 'extended',
      identity: { sourceIp: '192.0.2.1' },
      authorizer: { userId: 'u', roles: 'patient', exp: '4102444800', ...origin },
    },
  } as unknown as APIGatewayProxyEvent;
  const context = { getRemainingTimeInMillis: () => hangMs } as Context;
  const handler = serveWithPrefetch(declaration)(steps)(runtime);
  const { statusCode, body } = (await handler(event, context)) as APIGatewayProxyResult;
  return { seen, answer: [statusCode, JSON.parse(body).code ?? JSON.parse(body)] };
}

describe.each([
  ['reads', looking, ''],
  ['writes', changing, ', guarded'],
] as const)('a route that %s', (_does, declaration, guarded) => {
  test('reads the account, the time and the rows at the same time, and answers after all of them', async () => {
    const { seen, answer } = await ask(declaration);
    expect(seen.toSorted()).toEqual(['account', `answer${guarded}`, 'clock', `read${guarded}`]);
    expect(seen.at(-1)).toBe(`answer${guarded}`);
    expect(answer).toEqual([200, { found: 'a row', at: '2026-03-01T12:00:00.000Z' }]);
  });

  test('does not answer before the account is read, however long that takes', async () => {
    const opened = Promise.withResolvers<Account>();
    const asked = ask(declaration, { account: () => opened.promise, read: async () => 'at once' });
    // All that is not held has happened by then.
    await new Promise((resolve) => setImmediate(resolve));
    opened.resolve(closed);
    const { seen, answer } = await asked;
    expect(seen).not.toContain(`answer${guarded}`);
    expect(answer).toEqual([403, 'ACCOUNT_CLOSED']);
  });

  test('says that the account is closed before anything else that is wrong', async () => {
    const account = async () => closed;
    const failing = async () => {
      throw new Failure(Unavailable);
    };
    expect((await ask(declaration, { account, read: failing })).answer).toEqual([403, 'ACCOUNT_CLOSED']);
    expect((await ask(declaration, { account, size: 'x' })).answer).toEqual([403, 'ACCOUNT_CLOSED']);
  });

  test('refuses a session that has ended, before it says that the account is closed', async () => {
    const endings = { sessions: new Set([endedSession('other', 2_000_000_000), endedSession('mine', 2_000_000_000)]) };
    const { seen, answer } = await ask(declaration, {
      account: async () => closed,
      endings,
      origin: { sessionId: 'mine' },
    });
    expect(answer).toEqual([401, 'UNAUTHENTICATED']);
    expect(seen).not.toContain(`answer${guarded}`);
    expect((await ask(declaration, { endings, origin: { sessionId: 'third' } })).answer[0]).toBe(200);
    // Another session's id may end as this one does.
    expect((await ask(declaration, { endings, origin: { sessionId: 'ine' } })).answer[0]).toBe(200);
  });

  test.each([
    [{ signedInAt: '1799999999' }, 401],
    [{ signedInAt: '1800000000' }, 401],
    [{ signedInAt: '1800000001' }, 200],
    // The token does not say it.
    [{}, 401],
  ])('refuses sign-ins until all ended: %o', async (origin, status) => {
    expect((await ask(declaration, { endings: { notBefore: 1_800_000_000 }, origin })).answer[0]).toBe(status);
  });

  test('fails like its read if the account is open, and does nothing', async () => {
    const failing = async () => {
      throw new Failure(Unavailable);
    };
    const { seen, answer } = await ask(declaration, { read: failing });
    expect(answer).toEqual([503, 'UNAVAILABLE']);
    expect(seen).not.toContain(`answer${guarded}`);
  });

  test('does not answer if the account cannot be read', async () => {
    const account = async () => {
      throw new Failure(Unavailable);
    };
    const { seen, answer } = await ask(declaration, { account });
    expect(answer).toEqual([503, 'UNAVAILABLE']);
    expect(seen).not.toContain(`answer${guarded}`);
  });
});

test('of routes that are not a GET, only these begin before it is known that the session goes on: they change nothing', async () => {
  const caller = { userId: 'u', username: 'u', roles: [], sessionId: 'mine', signedInAt: 1 };
  const variables = { ENVIRONMENT: 'dev', ACCOUNTS_TABLE: 'a', ENDED_SESSIONS_TABLE: 'e' };
  const runtime = { variables, clock: () => new Date(), realNow: () => new Date(), write: () => true, dynamo };
  const ended = { account: neverClosed, endings: { sessions: new Set([endedSession('mine', 2_000_000_000)]) } };
  const accounts = { ...openAccounts, read: async () => ended };
  const begun: string[] = [];
  for (const { route } of operations.filter((each) => each.route.auth !== 'public')) {
    const where = readEnvironment({ ...variables, APPLICATION: route.applications[0] });
    const { pass } = accountGate(route, { ...runtime, accounts }, where, caller);
    const answer = async () => {
      begun.push(`${route.method} ${route.path}`);
    };
    await expect(
      pass(() => new Date(), null, answer),
      route.path,
    ).rejects.toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
  }
  expect(begun.filter((each) => !each.startsWith('GET ')).toSorted()).toEqual([
    'POST /access-codes/lookup',
    'POST /iam/check',
    'POST /mobile/app-version/policies/{application}/{platform}/simulate',
    'POST /mobile/settings/definitions/{settingId}/simulate',
    'POST /questionnaires/imports',
    'POST /questionnaires/simulate',
    'POST /users/me/studies/lookup',
  ]);
});

test('a runtime without accounts fails where the product has them, instead of letting a closed account go on', async () => {
  const variables = { ENVIRONMENT: 'dev', APPLICATION: 'sleepcare', CONSENT_RECORDS_TABLE: 'r', ACCOUNTS_TABLE: 'a' };
  const caller = { userId: 'u', username: 'u', roles: ['patient'], sessionId: null, signedInAt: null };
  const runtime = { variables, clock: () => new Date(), realNow: () => new Date(), write: () => true };
  const where = (more: object) => readEnvironment({ ...variables, ...more });
  expect(() => accountGate(looking, runtime, where({}), caller)).toThrow('the runtime reads no accounts');
  expect(() => accountGate(looking, runtime, where({ ACCOUNTS_TABLE: undefined }), caller)).not.toThrow();
});
