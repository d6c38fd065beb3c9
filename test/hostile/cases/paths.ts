import { type Case, request } from '../case.ts';

/** Escapes, traversal and ids of another form, in the path. */

type Row = [name: string, target: string, status: number, code: Case['code'], isFront?: boolean];

const read = (id: string) => `/de/v1/agent-board/messages/${id}/read`;
const history = (id: string) => `/de/v1/users/agreements/${id}/history`;

const gets: Row[] = [
  ['dots up to another route', '/de/v1/health/../users/me', 404, 'ROUTE_NOT_FOUND'],
  ['dots out of the stage', '/de/v1/../../v2/users/me', 404, 'ROUTE_NOT_FOUND'],
  ['dots out of everything', '/../../../../etc/passwd', 404, 'ROUTE_NOT_FOUND', true],
  ['escaped dots', '/de/v1/%2e%2e/%2e%2e/etc/passwd', 404, 'ROUTE_NOT_FOUND'],
  ['escaped slashes', '/de/v1%2fhealth', 404, 'ROUTE_NOT_FOUND'],
  ['backslashes', '/de/v1/..\\..\\windows\\win.ini', 404, 'ROUTE_NOT_FOUND'],
  ['escapes of escapes', '/de/v1/%252e%252e/health', 404, 'ROUTE_NOT_FOUND'],
  ['an escaped route', '/de/v1/%68ealth', 404, 'ROUTE_NOT_FOUND'],
  ['a route in capitals', '/de/v1/HEALTH', 404, 'ROUTE_NOT_FOUND'],
  ['an empty segment', '/de/v1//health', 404, 'ROUTE_NOT_FOUND'],
  ['an empty segment at the front', '//de/v1/health', 404, 'ROUTE_NOT_FOUND', true],
  ['two slashes at the end', '/de/v1/health//', 404, 'ROUTE_NOT_FOUND'],
  ['a parameter of a segment', '/de/v1/health;a=b', 404, 'ROUTE_NOT_FOUND'],
  ['an extension', '/de/v1/health.json', 404, 'ROUTE_NOT_FOUND'],
  ['a NUL at the end', '/de/v1/health%00', 404, 'ROUTE_NOT_FOUND'],
  ['a dot at the end', '/de/v1/health/.', 404, 'ROUTE_NOT_FOUND'],
  ['only the stage', '/de', 404, 'ROUTE_NOT_FOUND'],
  ['only the version', '/de/v1', 404, 'ROUTE_NOT_FOUND'],
  ['an unknown stage', '/prod/v1/health', 404, 'ROUTE_NOT_FOUND', true],
  ['an inherited name as stage', '/__proto__/v1/health', 404, 'ROUTE_NOT_FOUND', true],
  ['an inherited name as route', '/de/v1/constructor', 404, 'ROUTE_NOT_FOUND'],
  ['an inherited name deeper', '/de/v1/users/__proto__/devices', 404, 'ROUTE_NOT_FOUND'],
  ['the repository', '/de/v1/.git/config', 404, 'ROUTE_NOT_FOUND'],
  ['the environment', '/.env', 404, 'ROUTE_NOT_FOUND', true],
  ['a function of AWS', '/2015-03-31/functions/x/invocations', 404, 'ROUTE_NOT_FOUND', true],
  ['the console of the local stage, escaped', '/%5flocal/token?user=a', 404, 'ROUTE_NOT_FOUND', true],
  ['the console of the local stage, by dots', '/de/../_local/token?user=a', 404, 'ROUTE_NOT_FOUND'],
  ['a thousand segments', `/de/v1${'/a'.repeat(1000)}`, 404, 'ROUTE_NOT_FOUND'],
  ['a fragment', '/de/v1/health#/../users/me', 200, null],
  // API Gateway routes it as if there were no slash: the function refuses it.
  ['a slash at the end', '/de/v1/health/', 404, 'ROUTE_NOT_FOUND'],
  ['a slash at the end, and a query', '/de/v1/health/?a=b', 404, 'ROUTE_NOT_FOUND'],
];

const ids: Row[] = [
  ['a broken escape', history('%'), 400, 'VALIDATION_FAILED'],
  ['half an escape', history('%4'), 400, 'VALIDATION_FAILED'],
  ['an escape of no digits', history('%zz'), 400, 'VALIDATION_FAILED'],
  ['an overlong slash', history('%c0%af'), 400, 'VALIDATION_FAILED'],
  ['invalid UTF-8', history('%ff%fe'), 400, 'VALIDATION_FAILED'],
  ['half a surrogate', history('%ed%a0%80'), 400, 'VALIDATION_FAILED'],
  ['a NUL', history('marketing%00'), 404, 'AGREEMENT_NOT_FOUND'],
  ['the separator of keys', history('marketing%23x'), 404, 'AGREEMENT_NOT_FOUND'],
  ['an escaped slash', history('a%2fb'), 404, 'AGREEMENT_NOT_FOUND'],
  ['escaped dots', history('%2e%2e'), 404, 'AGREEMENT_NOT_FOUND'],
  ['escapes of escapes', history('%256darketing'), 404, 'AGREEMENT_NOT_FOUND'],
  ['line feeds', history('a%0d%0aSet-Cookie:%20b=c'), 404, 'AGREEMENT_NOT_FOUND'],
  ['markup', history('%3Cscript%3Ealert(1)%3C%2Fscript%3E'), 404, 'AGREEMENT_NOT_FOUND'],
  ['SQL', history("marketing'%20OR%20'1'%3D'1"), 404, 'AGREEMENT_NOT_FOUND'],
  ['other letters', history('%D0%BC%D0%B0%D1%80'), 404, 'AGREEMENT_NOT_FOUND'],
  ['a look-alike of full width', history('%EF%BD%8Darketing'), 404, 'AGREEMENT_NOT_FOUND'],
  ['the other direction', history('%E2%80%AEgnitekram'), 404, 'AGREEMENT_NOT_FOUND'],
  ['an inherited name', history('__proto__'), 404, 'AGREEMENT_NOT_FOUND'],
  ['another inherited name', history('constructor'), 404, 'AGREEMENT_NOT_FOUND'],
  ['a reserved word', history('versions'), 404, 'AGREEMENT_NOT_FOUND'],
  ['65 characters', history('a'.repeat(65)), 404, 'AGREEMENT_NOT_FOUND'],
  ['capitals', history('MARKETING'), 404, 'AGREEMENT_NOT_FOUND'],
  ['a blank', history('marketing%20'), 404, 'AGREEMENT_NOT_FOUND'],
  ['a plus', history('marketing+'), 404, 'AGREEMENT_NOT_FOUND'],
];

const posts: Row[] = [
  ['a broken escape', read('%e2%82'), 400, 'VALIDATION_FAILED'],
  ['the row of the count', read('~board'), 404, 'MESSAGE_NOT_FOUND'],
  ['dots', read('..'), 404, 'MESSAGE_NOT_FOUND'],
  ['an attribute path', read('a.b%5B0%5D'), 404, 'MESSAGE_NOT_FOUND'],
  ['8,000 characters', read('a'.repeat(8000)), 413, 'PAYLOAD_TOO_LARGE'],
];

const of =
  (method: string, kind: string) =>
  ([name, target, status, code, isFront = false]: Row): Case => ({
    name: `${kind}: ${name}`,
    bytes: ({ patient }) => request(`${method} ${target}`, { token: patient }),
    status,
    code,
    isFront,
  });

export const paths: readonly Case[] = [
  ...gets.map(of('GET', 'a path')),
  ...ids.map(of('GET', 'an id in a path')),
  ...posts.map(of('POST', 'an id in a path, posted')),
];
