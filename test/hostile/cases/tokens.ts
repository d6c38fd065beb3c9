import { type Case, request } from '../case.ts';
import { altered, type World } from '../world.ts';

/** Credentials of every wrong kind. */

const own = '/de/v1/users/agreements';

type Row = [name: string, value: string | ((world: World) => string), more?: Partial<Case>];

/** Values of the header. */
const refused: Row[] = [
  ['an empty one', ''],
  ['only the scheme', 'Bearer'],
  ['the scheme and a blank', 'Bearer '],
  ['no scheme', ({ patient }) => patient],
  ['another scheme', ({ patient }) => `Basic ${patient}`],
  ['a user and a password', `Basic ${Buffer.from('admin:admin').toString('base64')}`],
  [
    'a signature of AWS',
    'AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-central-1/execute-api/aws4_request, Signature=0',
  ],
  ['two tokens', ({ patient }) => `Bearer ${patient}, Bearer ${patient}`],
  ['a token and more', ({ patient }) => `Bearer ${patient} x`],
  ['a quoted token', ({ patient }) => `Bearer "${patient}"`],
  ['a word', 'Bearer hello'],
  ['null', 'Bearer null'],
  ['three dots', 'Bearer ...'],
  ['two parts', ({ patient }) => `Bearer ${patient.split('.').slice(0, 2).join('.')}`],
  ['four parts', ({ patient }) => `Bearer ${patient}.${patient.split('.')[2]}`],
  ['five parts, as an encrypted one has', `Bearer ${Array(5).fill('e30').join('.')}`],
  ['empty objects', 'Bearer e30.e30.e30'],
  ['no JSON inside', 'Bearer aGVsbG8.aGVsbG8.aGVsbG8'],
  ['8,000 letters', `Bearer ${'x'.repeat(8000)}`],
  ['letters beyond ASCII', 'Bearer \xe4\xf6\xfc.\xe4\xf6\xfc.\xe4\xf6\xfc'],
  ['algorithm none', ({ patient }) => `Bearer ${altered(patient, { header: { alg: 'none' }, signature: '' })}`],
  ['algorithm None', ({ patient }) => `Bearer ${altered(patient, { header: { alg: 'None' }, signature: '' })}`],
  ['algorithm HS256', ({ patient }) => `Bearer ${altered(patient, { header: { alg: 'HS256' } })}`],
  ['another key', ({ patient }) => `Bearer ${altered(patient, { header: { kid: 'unknown' } })}`],
  ['a key that is a path', ({ patient }) => `Bearer ${altered(patient, { header: { kid: '../../dev/null' } })}`],
  [
    'a key that came with it',
    ({ patient }) => `Bearer ${altered(patient, { header: { jwk: { kty: 'oct', k: 'AA' } } })}`,
  ],
  ['keys from elsewhere', ({ patient }) => `Bearer ${altered(patient, { header: { jku: 'http://evil.example/' } })}`],
  ['a critical extension', ({ patient }) => `Bearer ${altered(patient, { header: { crit: ['exp'] } })}`],
  ['no signature', ({ patient }) => `Bearer ${altered(patient, { signature: '' })}`],
  [
    "another's signature",
    ({ patient, other }) => `Bearer ${altered(patient, { signature: other.split('.')[2] ?? '' })}`,
  ],
  ["another's subject", ({ patient, otherUser }) => `Bearer ${altered(patient, { payload: { sub: otherUser } })}`],
  ['more roles', ({ patient }) => `Bearer ${altered(patient, { payload: { 'cognito:groups': ['admin'] } })}`],
  ['a longer life', ({ expired }) => `Bearer ${altered(expired, { payload: { exp: 4_000_000_000 } })}`],
  ['one that is over', ({ expired }) => `Bearer ${expired}`],
  ["one of the other application's pool", ({ physician }) => `Bearer ${physician}`],
];

/** Two header lines. */
const twice: [name: string, lines: (good: string, another: string) => string[]][] = [
  ['the first of which is good', (good) => [`Authorization: ${good}`, 'Authorization: Bearer x']],
  ['the second of which is good', (good) => ['Authorization: Bearer x', `Authorization: ${good}`]],
  ['both good and the same', (good) => [`Authorization: ${good}`, `Authorization: ${good}`]],
  ['each of another user', (good, another) => [`Authorization: ${good}`, `Authorization: ${another}`]],
  ['in two cases', (good) => [`Authorization: ${good}`, `authorization: ${good}`]],
  ['one of them empty', (good) => [`Authorization: ${good}`, 'Authorization:']],
];

type Denied = [name: string, line: string, who: keyof World];

/** Authenticated, and without the permission. */
const forbidden: Denied[] = [
  ['a patient at the push test', 'POST /de/v1/dev/push/test/badge_sync', 'patient'],
  ['a patient at the clock', 'DELETE /de/v1/time-machine', 'patient'],
  ['a physician at the policies', 'GET /v2/mobile/app-version/policies/sleepcare/ios', 'physician'],
  ['an agent at the policies', 'PUT /v2/mobile/app-version/policies/sleepcare/ios', 'agent'],
  ['an admin at the clock', 'GET /v2/time-machine', 'admin'],
  ['nobody at the users', 'GET /v2/users?email=a@example.com', 'nobody'],
  ['nobody at the agreements', 'GET /v2/users/agreements', 'nobody'],
];

export const tokens: readonly Case[] = [
  {
    name: 'a credential: none',
    bytes: () => request(`GET ${own}`),
    status: 401,
    code: 'UNAUTHENTICATED',
  },
  ...refused.map(
    ([name, value, more]): Case => ({
      name: `a credential: ${name}`,
      bytes: (world) =>
        request(`GET ${own}`, { lines: [`Authorization: ${typeof value === 'string' ? value : value(world)}`] }),
      status: 401,
      code: 'UNAUTHENTICATED',
      ...more,
    }),
  ),
  {
    name: 'a credential: in the query',
    bytes: ({ patient }) => request(`GET ${own}?access_token=${patient}`),
    status: 401,
    code: 'UNAUTHENTICATED',
  },
  {
    name: 'a credential: in a cookie',
    bytes: ({ patient }) => request(`GET ${own}`, { lines: [`Cookie: access_token=${patient}`] }),
    status: 401,
    code: 'UNAUTHENTICATED',
  },
  ...twice.map(
    ([name, lines]): Case => ({
      name: `a credential: two lines, ${name}`,
      bytes: ({ patient, other }) => request(`GET ${own}`, { lines: lines(`Bearer ${patient}`, `Bearer ${other}`) }),
      status: 401,
      code: 'UNAUTHENTICATED',
    }),
  ),
  {
    name: 'a credential: two lines, where a handler reads them itself',
    bytes: ({ physician }) =>
      request('GET /v2/auth/tokens/md/access', { lines: [`Authorization: Bearer ${physician}`], token: physician }),
    status: 401,
    code: 'UNAUTHENTICATED',
  },
  {
    name: 'a credential: a good one at a path with a slash too many',
    bytes: ({ patient }) => request(`GET ${own}/`, { token: patient }),
    status: 404,
    code: 'ROUTE_NOT_FOUND',
  },
  ...forbidden.map(
    ([name, line, who]): Case => ({
      name: `without the permission: ${name}`,
      bytes: (world) => request(line, { token: world[who], ...(line.startsWith('P') && { body: '{' }) }),
      status: 403,
      code: 'FORBIDDEN',
    }),
  ),
];
