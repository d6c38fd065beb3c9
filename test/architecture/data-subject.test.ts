import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { domains, operations } from '../../functions/domains.ts';
import { notFoundErrors } from '../../lib/contract/fields.ts';
import { authOf, pathParameters, type Route, responseSchema } from '../../lib/contract/route.ts';

/**
 * What keeps a route from showing somebody's data unasked: a person in its path, its request or its answer needs `about`, or a reason
 * here. What the declarations do is in test/access/check.test.ts.
 */

/** Names of fields and parameters that say who somebody is. A field of another name for the same is to be added here. */
const naming =
  /^(user|patient|person|member|staff|author|actor|assignee|participant|owner)(Id|Name)?$|^(username|email|phone|birthYear|birthDate|address|by)$/i;

/** With a person, and no `about`: why. */
const reasons: Readonly<Record<string, string>> = {
  'GET /admin/audit-events':
    'the administrators who acted; a subject may be the random id of a user under a legal hold, of a member of staff, or of a group’s member',
  'POST /crm/sites': 'the address and telephone number of a site, which are no person’s',
  'GET /crm/sites': 'the address and telephone number of a site, which are no person’s',
  'GET /crm/sites/{siteId}': 'the address and telephone number of a site, which are no person’s',
  'PATCH /crm/sites/{siteId}': 'the address and telephone number of a site, which are no person’s',
  'POST /dev/push/test/{messageType}': 'dev only, where no real people are: it shows nothing of the user but devices',
  'GET /questionnaires/{questionnaireId}': 'the telephone numbers of crisis lines, which are nobody’s',
  'PUT /questionnaires/{questionnaireId}/versions/{version}':
    'the telephone numbers of crisis lines, which are nobody’s',
};

const keyOf = ({ method, path }: Route) => `${method} ${path}`;

/** About the caller, or about nobody: what is the caller's own is behind a permission of that name. */
const isOfTheCaller = (route: Route) => authOf(route) === 'public' || authOf(route).endsWith('-own');

function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesIn)];
}

function peopleIn(route: Route): string[] {
  const answer = z.toJSONSchema(responseSchema(route), { io: 'output', unrepresentable: 'any' });
  const asked = [route.query, route.body].map((schema) => {
    return schema ? namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })) : [];
  });
  const names = [...pathParameters(route.path), ...asked.flat(), ...namesIn(answer)];
  return [...new Set(names)].filter((name) => naming.test(name));
}

const others = operations.filter(({ route }) => !isOfTheCaller(route));

test('a person in path, request or answer has a declaration, or a reason', () => {
  const found = others.filter(
    ({ route }) => peopleIn(route).length > 0 && !route.dataSubject && !reasons[keyOf(route)],
  );
  expect(found.map(({ route }) => `${keyOf(route)}: ${peopleIn(route).join()}`)).toEqual([]);
});

test('each reason is needed', () => {
  const needed = others
    .filter(({ route }) => !route.dataSubject && peopleIn(route).length > 0)
    .map(({ route }) => keyOf(route));
  expect(Object.keys(reasons).filter((route) => !needed.includes(route))).toEqual([]);
});

test('the exceptions are these', () => {
  const found = operations.flatMap(({ route }) =>
    route.dataSubject && 'exception' in route.dataSubject ? [[keyOf(route), route.dataSubject.exception]] : [],
  );
  expect(Object.fromEntries(found)).toEqual({
    'GET /users': expect.stringMatching(/^administration of accounts/),
    'GET /users/{userId}': expect.stringMatching(/^administration of accounts/),
    'GET /users/{userId}/sign-ins': expect.stringMatching(/^administration of accounts/),
    'POST /users/{userId}/disable': expect.stringMatching(/^administration of accounts/),
    'POST /users/{userId}/enable': expect.stringMatching(/^administration of accounts/),
    'POST /users/{userId}/sign-out': expect.stringMatching(/^administration of accounts/),
    'POST /users/{userId}/resend-verification': expect.stringMatching(/^administration of accounts/),
    'POST /users/{userId}/erasure': expect.stringMatching(/^legal holds and erasures/),
    'POST /admin/staff': expect.stringMatching(/^administration of staff/),
    'GET /admin/staff': expect.stringMatching(/^administration of staff/),
    'GET /admin/staff/{staffId}': expect.stringMatching(/^administration of staff/),
    'PATCH /admin/staff/{staffId}': expect.stringMatching(/^administration of staff/),
    'POST /admin/staff/{staffId}/invitation': expect.stringMatching(/^administration of staff/),
    'POST /admin/staff/{staffId}/disable': expect.stringMatching(/^administration of staff/),
    'POST /admin/staff/{staffId}/enable': expect.stringMatching(/^administration of staff/),
    'POST /admin/staff/{staffId}/reset-mfa': expect.stringMatching(/^administration of staff/),
    'GET /iam/users/{userId}/roles': expect.stringMatching(/^administration of staff/),
    'PUT /iam/users/{userId}/roles/{role}': expect.stringMatching(/^administration of staff/),
    'DELETE /iam/users/{userId}/roles/{role}': expect.stringMatching(/^administration of staff/),
    'GET /users/{userId}/agreements/{agreementId}/state': expect.stringMatching(/the consent itself/),
    'GET /users/{userId}/erasure': expect.stringMatching(/^legal holds and erasures/),
    'GET /crm/sites/{siteId}/staff': expect.stringMatching(/^administration of staff/),
    'PUT /crm/sites/{siteId}/staff/{userId}': expect.stringMatching(/^administration of staff/),
    'DELETE /crm/sites/{siteId}/staff/{userId}': expect.stringMatching(/^administration of staff/),
    'GET /groups/{groupId}/members': expect.stringMatching(/^administration of groups/),
    'PUT /groups/{groupId}/members/{userId}': expect.stringMatching(/^administration of groups/),
    'DELETE /groups/{groupId}/members/{userId}': expect.stringMatching(/^administration of groups/),
    'GET /users/{userId}/groups': expect.stringMatching(/^administration of groups/),
    'GET /crm/users': expect.stringMatching(/^administration of staff/),
    'GET /crm/users/{userId}': expect.stringMatching(/^administration of staff/),
    'PATCH /crm/users/{userId}': expect.stringMatching(/^administration of staff/),
    'PUT /users/{userId}/legal-hold': expect.stringMatching(/^legal holds and erasures/),
    'DELETE /users/{userId}/legal-hold': expect.stringMatching(/^legal holds and erasures/),
  });
});

test('the callers who are exempt are these', () => {
  const found = operations.flatMap(({ route }) =>
    route.dataSubject && 'exempt' in route.dataSubject && route.dataSubject.exempt
      ? [[keyOf(route), route.dataSubject.exempt.roles]]
      : [],
  );
  expect(Object.fromEntries(found)).toEqual({ 'POST /users/{userId}/agent-board/messages': ['agent', 'admin'] });
});

describe.each(operations.filter(({ route }) => route.dataSubject).map(({ id, route }) => ({ id, route })))(
  '$id',
  ({ route }) => {
    const { dataSubject, params, items, response } = route;

    test('is for callers who are known', () => {
      expect(authOf(route)).not.toBe('public');
      expect(isOfTheCaller(route)).toBe(false);
    });

    test('names its person by a parameter that is 404 for nobody, or by a field of its rows', () => {
      if (dataSubject?.param !== undefined)
        expect(notFoundErrors.has(params?.shape[dataSubject.param] as never)).toBe(true);
      else expect(Object.keys((items ?? response)?.shape ?? {})).toContain(dataSubject?.each);
    });

    test('what is left of those who do not consent are fields of its rows, and the others can be null', () => {
      if (!dataSubject || !('withoutConsent' in dataSubject)) return;
      const shape = (items ?? response)?.shape ?? {};
      expect(Object.keys(shape)).toEqual(expect.arrayContaining([...dataSubject.withoutConsent]));
      const others = Object.entries(shape).filter(([name]) => !dataSubject.withoutConsent.includes(name));
      expect(others.filter(([, schema]) => !z.safeParse(schema, null).success).map(([name]) => name)).toEqual([]);
    });
  },
);

/** Permissions of physicians that show nobody: why. */
const ofNobody: Readonly<Record<string, string>> = {
  'questionnaires:read': 'what is published, the same for everybody',
  'crm-users:read': 'the directory of staff, in which are no patients',
  'crm-users:keep': "the caller's own entry in it",
};

test('who reads patients has no other way to them', () => {
  const physicians = Object.values(domains).flatMap(({ permissions = {} }) =>
    Object.values(permissions).filter(({ name, roles }) => roles.includes('physician') && !ofNobody[name]),
  );
  const used = others.filter(({ route }) => physicians.some(({ name }) => name === authOf(route)));
  expect(
    used.filter(({ route }) => !route.dataSubject || 'exception' in route.dataSubject).map(({ id }) => id),
  ).toEqual([]);
});
