import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../../functions/domains.ts';

/** What a person has to say to sign in or to get a new password, and where an old sign-in is not enough (docs/security/sign-in.md). */

type Schema = { $ref?: string; properties?: object; anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[] };
type Methods = Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>;
const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Methods>;
  components: { schemas: Record<string, Schema> };
};

function fieldsOf({ $ref, properties = {}, anyOf = [], oneOf = [], allOf = [] }: Schema): string[] {
  if ($ref !== undefined) return fieldsOf(document.components.schemas[$ref.replace(/.*\//, '')] ?? {});
  return [...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(fieldsOf)];
}

test('no way in asks for a hint, a question or something that others know', () => {
  const ways = Object.entries(document.paths).filter(([path]) =>
    /^\/auth\/|^\/users(\/verify|\/me\/(password|email|second-factor).*)?$|^\/admin\/staff\/accept$/.test(path),
  );
  const asked = ways.flatMap(([, methods]) =>
    Object.values(methods).flatMap(({ requestBody }) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema)),
    ),
  );
  expect([...new Set(asked)].toSorted()).toEqual([
    'appVersion',
    // It is not stored, and no reset asks for it.
    'birthYear',
    'code',
    'currentPassword',
    'deviceName',
    'email',
    'grantType',
    'locale',
    'password',
    'presentCode',
    'previousRefreshToken',
    'recoveryCode',
    'refreshToken',
    'session',
    'temporaryPassword',
    'timezone',
    'token',
    'username',
  ]);
});

test('what signs somebody in, what gives rights, and what takes or deletes all data, needs a fresh sign-in', () => {
  const fresh = operations.filter(({ route }) => route.signedInWithinSeconds !== undefined);
  expect(fresh.map(({ id }) => id).toSorted()).toEqual([
    'beginSecondFactor',
    'enableStaff',
    'giveRole',
    'inviteStaff',
    'issueRecoveryCodes',
    'removeSecondFactor',
    'requestEmailChange',
    'requestErasure',
    'requestErasureOf',
    'requestExport',
    'requestResearchExport',
    'resendStaffInvitation',
    'resetStaffMfa',
    'verifyEmailChange',
    'verifySecondFactor',
  ]);
});

test('each public route of sign-in, accounts and invitations stands on the page', () => {
  const page = readFileSync(new URL('../../docs/security/sign-in.md', import.meta.url), 'utf8');
  const ways = operations.filter(
    ({ route }) => route.auth === 'public' && /^\/(auth\/|users|admin\/staff\/accept)/.test(route.path),
  );
  expect(ways.length).toBeGreaterThan(5);
  for (const { route } of ways) expect(page).toContain(`\`${route.method} ${route.path}\``);
});
