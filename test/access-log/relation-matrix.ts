import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withAccess } from '../../functions/access/check.ts';
import { staffPart } from '../../functions/access/data-subject.ts';
import { operations } from '../../functions/domains.ts';
import { roleScopes } from '../../functions/product.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import type { Application, Environment, Role } from '../../lib/contract/register.ts';
import { rolesOf } from '../../lib/contract/roles.ts';
import { existsIn, type Route } from '../../lib/contract/route.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import type { Handle } from '../../lib/runtime/handle.ts';
import { paging } from '../../lib/runtime/paging.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { putConsent } from '../consented.ts';
import { hangMs } from '../hang.ts';
import { openAccounts } from '../runtime/open-accounts.ts';
import { createTables } from '../tables.ts';
import { written } from '../written-callers.ts';

/**
 * Role × relation × consent, over every route about a person, in an environment: the declared check runs, and a handler in the place of
 * the route's own says that it was reached. Whom a route is about and why stands here once more, and not from the code.
 */

type Ground = 'care and consent' | 'care' | 'care and consent, each row' | 'support' | 'safety' | 'exception';

const grounds: Readonly<Record<string, Ground>> = {
  'GET /users/{userId}/agreements/{agreementId}/state': 'exception',
  'GET /users': 'exception',
  'GET /users/{userId}/erasure': 'exception',
  'PUT /users/{userId}/legal-hold': 'exception',
  'DELETE /users/{userId}/legal-hold': 'exception',
  'GET /crm/sites/{siteId}/staff': 'exception',
  'PUT /crm/sites/{siteId}/staff/{userId}': 'exception',
  'DELETE /crm/sites/{siteId}/staff/{userId}': 'exception',
  'GET /crm/users': 'exception',
  'GET /crm/users/{userId}': 'exception',
  'PATCH /crm/users/{userId}': 'exception',
  'POST /admin/staff': 'exception',
  'POST /admin/staff/{staffId}/invitation': 'exception',
  'GET /admin/staff': 'exception',
  'GET /admin/staff/{staffId}': 'exception',
  'PATCH /admin/staff/{staffId}': 'exception',
  'POST /admin/staff/{staffId}/disable': 'exception',
  'POST /admin/staff/{staffId}/enable': 'exception',
  'POST /admin/staff/{staffId}/reset-mfa': 'exception',
  'GET /iam/users/{userId}/roles': 'exception',
  'PUT /iam/users/{userId}/roles/{role}': 'exception',
  'DELETE /iam/users/{userId}/roles/{role}': 'exception',
  'GET /users/{userId}': 'exception',
  'POST /users/{userId}/disable': 'exception',
  'POST /users/{userId}/enable': 'exception',
  'POST /users/{userId}/sign-out': 'exception',
  'POST /users/{userId}/resend-verification': 'exception',
  'POST /users/{userId}/erasure': 'exception',
  'GET /groups/{groupId}/members': 'exception',
  'PUT /groups/{groupId}/members/{userId}': 'exception',
  'DELETE /groups/{groupId}/members/{userId}': 'exception',
  'GET /users/{userId}/groups': 'exception',
  'GET /users/{userId}/sign-ins': 'exception',
  'GET /crm/patients': 'care and consent, each row',
  'GET /crm/patients/{userId}': 'care and consent',
  'GET /crm/patients/{userId}/timeline': 'care and consent',
  'POST /users/{userId}/agent-board/messages': 'care',
  'POST /questionnaires/flags/{flagId}/acknowledge': 'safety',
  'POST /questionnaires/flags/{flagId}/outcome': 'safety',
  'GET /users/{userId}/questionnaires/flags': 'care and consent',
  'POST /users/{userId}/questionnaires/flags/{flagId}/outcome': 'care and consent',
  'GET /questionnaires/flags': 'safety',
  'GET /users/{userId}/questionnaires/responses': 'care and consent',
  'GET /users/{userId}/sleep/entries': 'care and consent',
  'GET /users/{userId}/sleep/report': 'care and consent',
  'GET /users/{userId}/sleep/summary': 'care and consent',
  'GET /users/{userId}/sleep/window': 'care and consent',
  'POST /users/{userId}/sleep/window/release': 'care and consent',
  'POST /users/{userId}/sleep/window/withdraw': 'care and consent',
  'POST /crm/urgent-tickets/{ticketId}/acknowledge': 'safety',
  'POST /crm/patients/{userId}/urgent-tickets/{ticketId}/acknowledge': 'care and consent',
  'GET /crm/site-urgent-tickets': 'care and consent, each row',
  'GET /crm/urgent-tickets': 'safety',
  'GET /crm/tickets': 'support',
  'GET /crm/tickets/{ticketId}': 'support',
  'PATCH /crm/tickets/{ticketId}': 'support',
  'GET /crm/tickets/{ticketId}/comments': 'support',
  'POST /crm/tickets/{ticketId}/comments': 'support',
  'POST /crm/tickets/{ticketId}/transition': 'support',
};

/** Who writes to whomever without a relation. */
const exempt: Readonly<Record<string, readonly string[]>> = {
  'POST /users/{userId}/agent-board/messages': ['agent', 'admin'],
};

type Consent = 'agreed' | 'revoked' | 'none';
type Case = { readonly role: string; readonly isRelated: boolean; readonly consent: Consent };
type Outcome = 'reached' | 'rows without consent' | 'FORBIDDEN' | 'CONSENT_REQUIRED' | 'not found';

function expected(name: string, mayCall: boolean, { role, isRelated, consent }: Case): Outcome {
  if (!mayCall) return 'FORBIDDEN';
  const ground = grounds[name];
  if (ground === 'care and consent, each row') return consent === 'agreed' ? 'reached' : 'rows without consent';
  if (ground === 'care' && exempt[name]?.includes(role)) return 'reached';
  if (ground === 'care') return isRelated ? 'reached' : 'not found';
  if (ground !== 'care and consent') return 'reached';
  if (!isRelated) return 'not found';
  return consent === 'agreed' ? 'reached' : 'CONSENT_REQUIRED';
}

const dataSubject = operations.filter(({ route }) => route.dataSubject);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const names = ['Staff', 'CareRelations', 'AccessLog', 'ConsentStates', 'ConsentRecords', 'Accounts'] as const;
const now = new Date('2026-06-01T12:00:00.000Z');
const consents: readonly Consent[] = ['agreed', 'revoked', 'none'];

export function describeMatrix(environment: Environment): void {
  let database: Awaited<ReturnType<typeof startDynamoDb>>;
  let dynamo: DynamoDBDocumentClient;
  const doctor = randomUUID();
  /** By relation and consent: nobody changes them, and the log of each is read after each request. */
  const people = new Map<string, string>();
  const personOf = ({ isRelated, consent }: Omit<Case, 'role'>) => people.get(`${isRelated} ${consent}`) ?? '';

  beforeAll(async () => {
    database = await startDynamoDb({});
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    dynamo = documentsOf(
      new DynamoDBClient({ endpoint: database.url, region: 'eu-central-1', credentials, maxAttempts: 1 }),
    );
    await createTables(dynamo, names);
    const put = (TableName: string, Item: object) => dynamo.send(new PutCommand({ TableName, Item: { ...Item } }));
    const since = '2026-05-01T08:00:00.000Z';
    await put('Staff', { userId: doctor, part: staffPart('north'), siteId: 'north', since });
    for (const isRelated of [true, false]) {
      for (const consent of consents) {
        const userId = randomUUID();
        people.set(`${isRelated} ${consent}`, userId);
        await put('CareRelations', { userId, siteId: isRelated ? 'north' : 'south', since });
        if (consent !== 'none') await putConsent(put, { userId, action: consent, recordedAt: since });
      }
    }
  });
  afterAll(async () => {
    dynamo.destroy();
    await database.close();
  });

  async function looksAt(userId: string): Promise<number> {
    const query = { KeyConditionExpression: 'userId = :userId', ExpressionAttributeValues: { ':userId': userId } };
    return (await dynamo.send(new QueryCommand({ TableName: 'AccessLog', ...query, Select: 'COUNT' }))).Count ?? 0;
  }

  /** @returns what became of the request; the handler shows nothing, so that no look may be logged */
  async function ask(declared: Route, application: Application, of: Case): Promise<Outcome | string> {
    const variables = {
      ...{ ENVIRONMENT: environment, APPLICATION: application, CURSOR_KEY: 'k'.repeat(64) },
      ...{ STAFF_TABLE: 'Staff', CARE_RELATIONS_TABLE: 'CareRelations', ACCESS_LOG_TABLE: 'AccessLog' },
      ...{ CONSENT_STATES_TABLE: 'ConsentStates', CONSENT_RECORDS_TABLE: 'ConsentRecords' },
      ...{ ACCOUNTS_TABLE: 'Accounts', ENDED_SESSIONS_TABLE: 'none' },
    };
    const sources = { dynamo: () => dynamo, variables, realNow: () => now, write: () => undefined };
    // What a request has to say is not asked here, and the handler uses nothing.
    const {
      body: _body,
      query: _query,
      headers: _headers,
      uses: _uses,
      signedInWithinSeconds: _recent,
      ...bare
    } = declared;
    const userId = personOf(of);
    let reached: Outcome | null = null;
    const handle = async ({
      dataSubject: found,
    }: {
      dataSubject?: { consentsOf?: (ids: string[]) => Promise<Map<string, object>> };
    }) => {
      const consenting = await found?.consentsOf?.([userId]);
      reached = consenting && !consenting.has(userId) ? 'rows without consent' : 'reached';
      return new Failure(Unavailable);
    };
    const runtime = { ...sources, clock: () => now, accounts: openAccounts, access: withAccess(sources), paging };
    const handler = serve(bare as Route)(handle as unknown as Handle<Route>)(runtime);
    const ids = [...declared.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      name === 'userId' ? userId : 'x',
    ]);
    const event = {
      httpMethod: declared.method,
      path: declared.path,
      pathParameters: Object.fromEntries(ids),
      multiValueQueryStringParameters: null,
      multiValueHeaders: {},
      body: null,
      isBase64Encoded: false,
      requestContext: {
        requestId: 'plain',
        extendedRequestId: 'req-1',
        identity: { apiKeyId: 'key' },
        authorizer: { userId: doctor, roles: of.role, exp: '4102444800' },
      },
    } as unknown as APIGatewayProxyEvent;
    const context = { getRemainingTimeInMillis: () => hangMs } as Context;
    const answer = (await handler(event, context)) as APIGatewayProxyResult;
    if (reached !== null) return reached;
    return answer.statusCode === 404 ? 'not found' : JSON.parse(answer.body).code;
  }

  test('the table has each route about a person, and no other route', () => {
    expect(Object.keys(grounds).toSorted()).toEqual(dataSubject.map(({ route }) => nameOf(route)).toSorted());
  });

  const attempts = dataSubject
    .flatMap(({ route }) => route.applications.map((application) => ({ name: nameOf(route), route, application })))
    .filter(({ route, application }) => existsIn(route, environment, application));

  describe.each(attempts)('$name of $application', ({ name, route, application }) => {
    test('every role, with and without relation and consent', async () => {
      const who = written.callers.get(name)?.who ?? {};
      const callers: readonly string[] = who === 'public' ? [] : (who[application] ?? []);
      const roles: (Role | '')[] = [...rolesOf(roleScopes, application, environment), ''];
      const met: Record<string, string> = {};
      const wanted: Record<string, string> = {};
      for (const role of roles) {
        for (const isRelated of [true, false]) {
          for (const consent of consents) {
            const of = { role, isRelated, consent };
            const key = `${role || 'no role'}, ${isRelated ? 'related' : 'not related'}, ${consent}`;
            met[key] = await ask(route, application, of);
            wanted[key] = expected(name, callers.includes(role), of);
          }
        }
      }
      expect(met).toEqual(wanted);
    });
  });

  test('nothing was shown to anybody, and nothing is in any log', async () => {
    for (const userId of people.values()) expect(await looksAt(userId)).toBe(0);
  });
}
