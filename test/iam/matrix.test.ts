import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { operations } from '../../functions/domains.ts';
import type { Application } from '../../lib/contract/deployments.ts';
import { isMetered, type Route } from '../../lib/contract/route.ts';
import { call, signIn } from '../api.ts';

/**
 * Every route, tried over HTTP with every role and without a token. Who may call what is written down here once more,
 * from the contract and not from the code's table, so that a slip there is seen here.
 */

type Who = 'public' | { [application in Application]?: readonly string[] };

/** A caller in no group. */
const nobody = '';
const roles: Record<Application, readonly string[]> = {
  sleepcare: [nobody, 'patient', 'developer', 'integration'],
  medinfo: [nobody, 'physician', 'agent', 'admin', 'developer', 'integration'],
};

const everyone = roles;
/** Everyone of sleepcare, in a group or none; in medinfo not who is in none, and not an integration. */
const own = { sleepcare: roles.sleepcare, medinfo: ['physician', 'agent', 'admin', 'developer'] };
/** What the sleep-care app alone has. */
const patients = { sleepcare: roles.sleepcare };
const developers = { sleepcare: ['developer'], medinfo: ['developer'] };
const admins = { medinfo: ['admin'] };

const contract: Record<string, Who> = {
  'GET /users/agreements': own,
  'POST /agreements/versions/{versionId}/agree': own,
  'DELETE /users/agreements/{agreementId}/consent': own,
  'GET /users/agreements/{agreementId}/history': own,

  'GET /users/agreements/{agreementId}/state': own,
  'GET /users/agreements/{agreementId}/receipt': own,
  'POST /agreements/receipts/verify': 'public',
  'GET /.well-known/jwks.json': 'public',
  'GET /users/{userId}/agreements/{agreementId}/state': { sleepcare: ['integration'], medinfo: ['integration'] },

  'GET /agreements': admins,
  'POST /agreements': admins,
  'POST /agreements/{agreementId}/versions': admins,
  'POST /agreements/versions/{versionId}/content': admins,
  'POST /agreements/versions/{versionId}/publish': admins,
  'POST /agreements/versions/{versionId}/withdraw': admins,
  'GET /agreements/versions/{versionId}/content': own,
  'GET /admin/audit-events': admins,
  'GET /agreements/{agreementId}/statistics': admins,

  'GET /health': 'public',
  'GET /mobile/app-version/check': 'public',
  'GET /mobile/app-version/policies/{application}/{platform}': admins,
  'PUT /mobile/app-version/policies/{application}/{platform}': admins,
  'POST /mobile/app-version/policies/{application}/{platform}/simulate': admins,

  'POST /auth/tokens': 'public',
  'POST /auth/tokens/revoke': 'public',
  // Public at the gateway; its handler lets physicians in.
  'GET /auth/tokens/md/access': { medinfo: ['physician'] },

  'GET /users/me': everyone,
  'PATCH /users/me': own,
  'GET /users': { medinfo: ['physician', 'agent', 'admin'] },

  'DELETE /users/me': own,
  'GET /users/me/erasure': everyone,
  'POST /users/me/restore': own,
  'GET /users/{userId}/erasure': admins,
  'PUT /users/{userId}/legal-hold': admins,
  'DELETE /users/{userId}/legal-hold': admins,

  'GET /agent-board/messages': patients,
  'POST /agent-board/messages/{messageId}/read': patients,
  'POST /users/{userId}/agent-board/messages': { medinfo: ['physician', 'agent', 'admin'] },

  'PUT /users/me/devices/{deviceId}': patients,
  'GET /users/me/devices': patients,
  'DELETE /users/me/devices/{deviceId}': patients,

  'POST /dev/push/test/{messageType}': { sleepcare: ['developer'] },

  'GET /iam/roles': own,
  'GET /iam/users/me/permissions': own,

  'GET /time-machine': developers,
  'PUT /time-machine': developers,
  'DELETE /time-machine': developers,
};

/** On the dev stage, where all routes are. */
const attempts = operations.flatMap(({ route }) => {
  const name = `${route.method} ${route.path}`;
  return route.applications.map((application) => ({ name, route, application }));
});

// A metered route lets ten calls of one client through at a time: there the roles take turns with the clients.
const clients = ['mobile-app', 'developer-tools', 'integration'];
const tokens = new Map<string, Promise<string>>();
function tokenOf(application: Application, role: string, route: Route): Promise<string> {
  // Whoever asks to be deleted may call little else then.
  if (route.whenClosed === 'decides') return signIn({ application, roles: role, user: randomUUID() });
  const client = clients[isMetered(route) ? roles[application].indexOf(role) % clients.length : 0] ?? '';
  const key = `${application} ${role} ${client}`;
  const token = tokens.get(key) ?? signIn({ application, roles: role, client });
  tokens.set(key, token);
  return token;
}

test('who may call each route is written down', () => {
  expect([...new Set(attempts.map(({ name }) => name))].filter((name) => !Object.hasOwn(contract, name))).toEqual([]);
});

describe.each(attempts)('$name of $application', ({ name, route, application }) => {
  const who = contract[name] ?? {};
  const allowed = who === 'public' ? roles[application] : (who[application] ?? []);
  // Nothing that a route takes: who is let in meets a 400 or a 404, or reads.
  const path = route.path.replace(/\{\w+\}/g, 'x');
  const attempt = (token?: string) => call(route.method, path, { application, ...(token !== undefined && { token }) });

  test(who === 'public' ? 'needs no token' : 'is 401 without a token', async () => {
    const { status, body } = await attempt();
    if (who === 'public') expect([401, 403]).not.toContain(status);
    else expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  test.each(roles[application].map((role) => [role || 'in no group', role, allowed.includes(role)] as const))(
    '%s',
    async (_name, role, isAllowed) => {
      const { status, body } = await attempt(await tokenOf(application, role, route));
      if (isAllowed) {
        expect([401, 403]).not.toContain(status);
        expect(status).toBeLessThan(429);
      } else expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    },
  );
});
