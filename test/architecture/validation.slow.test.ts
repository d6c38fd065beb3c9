import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { operations } from '../../functions/domains.ts';
import { applications, roleScopes } from '../../functions/product.ts';
import { PageQuery } from '../../lib/contract/collection.ts';
import { notFoundErrors } from '../../lib/contract/fields.ts';
import { isHeld } from '../../lib/contract/permissions.ts';
import type { Application } from '../../lib/contract/register.ts';
import { rolesOf } from '../../lib/contract/roles.ts';
import { existsIn, type Route } from '../../lib/contract/route.ts';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { call, signIn } from '../api.ts';

/** The gateway validates nothing (test/stack/routes.test.ts): so each function does, all that its route declares. */

const here = applications.flatMap((application) =>
  operations.filter(({ route }) => existsIn(route, 'dev', application)).map((each) => ({ ...each, application })),
);

/** Of whoever may call it; the tools' app has a key for what is metered. */
const tokens = new Map<string, Promise<string>>();
async function tokenFor({ auth }: Route, application: Application): Promise<string | undefined> {
  if (auth === 'public') return undefined;
  const role = rolesOf(roleScopes, application, 'dev').find((each) => isHeld(auth, { roles: [each], application }));
  const signed = { roles: role ?? '', application, client: role === 'integration' ? role : 'developer-tools' };
  const token = tokens.get(`${role} ${application}`) ?? signIn(signed);
  tokens.set(`${role} ${application}`, token);
  return token;
}

/** Fits one parameter of a path or another. */
const fittingTexts = ['x', 'medinfo', 'ios', 'badge_sync', '2026-11-01'];
const unfittingText = '~';

function pathOf({ path, params }: Route, fits: boolean): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = params?.shape[name];
    const isFitting = (text: string) => schema === undefined || z.safeParse(schema, text).success;
    const found = [...fittingTexts, unfittingText].find((text) => isFitting(text) === fits);
    if (found === undefined) throw new Error(`${path}: no text for {${name}} here ${fits ? 'fits' : 'is unfit'}`);
    return found;
  });
}

/** Its query parameters, each of which may be given once. */
const queryOf = ({ query, items, tolerant }: Route) => [
  ...Object.keys((!tolerant && query?.shape) || {}),
  ...Object.keys(items ? PageQuery.shape : {}),
];

const each = (judge: (operation: (typeof here)[number]) => Promise<string | null>) =>
  mapWithConcurrency(here, 4, async (operation) => {
    const problem = await judge(operation);
    return problem === null ? [] : [`${operation.application} ${operation.id}: ${problem}`];
  }).then((found) => found.flat());

test('a malformed query and a malformed body are reported, all at once', async () => {
  const asked: string[] = [];
  const problems = await each(async ({ id, route, application }) => {
    const expected = [...queryOf(route).map((name) => `query ${name}`), ...(route.body ? ['body'] : [])];
    if (expected.length === 0) return null;
    asked.push(id);
    const query = queryOf(route).flatMap((name) => [`${name}=1`, `${name}=1`]);
    const token = await tokenFor(route, application);
    const { status, body } = await call(route.method, `${pathOf(route, true)}?${query.join('&')}`, {
      ...{ application, ...(token && { token }) },
      // No object, whatever it declares.
      ...(route.body && { body: [1] }),
    });
    const issues: { in: string; path: string }[] = body?.detail?.issues ?? [];
    const told = issues.map((issue) => (issue.in === 'body' ? 'body' : `${issue.in} ${issue.path}`));
    const isAll = status === 400 && body.code === 'VALIDATION_FAILED' && expected.every((one) => told.includes(one));
    return isAll ? null : `${status} ${JSON.stringify(body)} in place of ${expected.join(', ')}`;
  });
  expect(problems).toEqual([]);
  expect(asked.length).toBeGreaterThan(30);
});

test('a malformed part of a path is reported, or names nothing', async () => {
  const asked: string[] = [];
  const problems = await each(async ({ id, route, application }) => {
    if (!route.params) return null;
    asked.push(id);
    const codes = Object.values(route.params.shape).map((schema) => notFoundErrors.get(schema)?.code);
    const token = await tokenFor(route, application);
    const path = pathOf(route, false);
    const { status, body } = await call(route.method, path, { application, ...(token && { token }) });
    const isTold = body?.code === 'VALIDATION_FAILED' || (/_NOT_FOUND$/.test(body?.code) && codes.includes(body.code));
    return isTold ? null : `${path}: ${status} ${JSON.stringify(body)}`;
  });
  expect(problems).toEqual([]);
  expect(asked.length).toBeGreaterThan(20);
});
