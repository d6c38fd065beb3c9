import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { operations } from '../../functions/domains.ts';
import { EndedSessions } from '../../lib/contract/ended-sessions.ts';
import type { Application } from '../../lib/contract/register.ts';
import { isMetered, type Route } from '../../lib/contract/route.ts';
import { call, signIn } from '../api.ts';
import { everyone as roles } from '../callers.ts';
import { written } from '../written-callers.ts';

/** Routes, tried over HTTP with every role and without a token, against what `test/<domain>/callers.ts` says. */

/** On the dev stage, where all routes are. */
export const attempts = operations.flatMap(({ domain, route }) => {
  const name = `${route.method} ${route.path}`;
  return route.applications.map((application) => ({ name, domain, route, application }));
});

// A metered route lets ten calls of one client through at a time: there the roles take turns with the clients.
const clients = ['mobile-app', 'developer-tools', 'integration'];
const tokens = new Map<string, Promise<string>>();
function tokenOf(application: Application, role: string, route: Route): Promise<string> {
  const turn = clients[isMetered(route) ? roles[application].indexOf(role) % clients.length : 0] ?? '';
  const client = role === 'integration' && route.auth !== 'public' ? role : turn;
  // Whoever asks to be deleted may call little else then, and a session that ended nothing.
  if (route.closedAccount === 'manage' || endsSessions(route))
    return signIn({ application, roles: role, user: randomUUID(), client });
  const key = `${application} ${role} ${client}`;
  const token = tokens.get(key) ?? signIn({ application, roles: role, client });
  tokens.set(key, token);
  return token;
}

function endsSessions({ uses }: Route): boolean {
  return (uses ?? []).some((use) => 'access' in use && use.access === 'adjust' && use.table === EndedSessions);
}

export function describeMatrix(of: typeof attempts): void {
  describe.each(of)('$name of $application', ({ name, route, application }) => {
    const who = written.callers.get(name)?.who ?? {};
    const allowed = who === 'public' ? roles[application] : (who[application] ?? []);
    // Nothing that a route accepts: a permitted caller gets a 400 or a 404, or reads.
    const path = route.path.replace(/\{\w+\}/g, 'x');
    const attempt = (token?: string) =>
      call(route.method, path, { application, ...(token !== undefined && { token }) });

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
}
