import { type Case, device, phone, request } from '../case.ts';

/**
 * More than the service takes, and deeper, and names that JavaScript inherits. middy's parser refuses a document with
 * `__proto__` or a constructor's `prototype`, wherever it stands, and one too deep for its reviver.
 */

const megabyte = 1_048_576;
const good = JSON.stringify(phone);
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
/** With one further field, as it is written: `JSON.stringify` would lose a name that is there twice or means a prototype. */
const withField = (text: string) => `${good.slice(0, -1)},${text}}`;

type Row = [name: string, body: string, status: number, code: Case['code']];

const bodies: Row[] = [
  ['a megabyte', withField(`"x":"${'x'.repeat(megabyte - good.length - 7)}"`), 200, null],
  ['a megabyte and one', withField(`"x":"${'x'.repeat(megabyte - good.length - 6)}"`), 413, 'PAYLOAD_TOO_LARGE'],
  ['a megabyte of two-byte letters and one', withField(`"x":"${'ä'.repeat(megabyte / 2)}"`), 413, 'PAYLOAD_TOO_LARGE'],
  ['a megabyte of blanks and one', ' '.repeat(megabyte + 1), 413, 'PAYLOAD_TOO_LARGE'],
  ['seven megabytes, more than a function takes', 'x'.repeat(7 * megabyte), 413, 'PAYLOAD_TOO_LARGE'],
  ['eleven megabytes, more than the gateway takes', 'x'.repeat(11 * megabyte), 413, 'PAYLOAD_TOO_LARGE'],
  [
    '100,000 undeclared fields',
    withField(Array.from({ length: 60_000 }, (_, index) => `"f${index}":1`).join()),
    200,
    null,
  ],
  ['an undeclared field 500 objects deep', withField(`"x":${nested(500)}`), 200, null],
  ['an undeclared field 50,000 objects deep', withField(`"x":${nested(50_000)}`), 400, 'MALFORMED_JSON'],
  [
    'an undeclared field 100,000 arrays deep',
    withField(`"x":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    400,
    'MALFORMED_JSON',
  ],
  ['a number of 100,000 digits', withField(`"x":${'9'.repeat(100_000)}`), 200, null],
  ['a name of 100,000', withField(`"${'n'.repeat(100_000)}":1`), 200, null],
  ['the prototype', withField('"__proto__":{"platform":"x","isAdmin":true}'), 400, 'MALFORMED_JSON'],
  ['the prototype, escaped', withField('"\\u005f_proto__":{"platform":"x"}'), 400, 'MALFORMED_JSON'],
  ['the constructor', withField('"constructor":{"prototype":{"platform":"x"}}'), 400, 'MALFORMED_JSON'],
  ['methods', withField('"toString":1,"valueOf":1,"hasOwnProperty":1,"then":1,"toJSON":1'), 200, null],
  ['nothing but a prototype', '{"__proto__":{"platform":"ios","token":"a"}}', 400, 'MALFORMED_JSON'],
  ['declared fields in the prototype', `{"__proto__":${good}}`, 400, 'MALFORMED_JSON'],
  ['a prototype for a value', good.replace('"ios"', '{"__proto__":"ios"}'), 400, 'MALFORMED_JSON'],
  ['a field twice: the last counts', withField('"platform":"symbian"'), 400, 'VALIDATION_FAILED'],
  ['a field twice, one in capitals', withField('"Platform":"symbian"'), 200, null],
];

export const sizes: readonly Case[] = [
  ...bodies.map(
    ([name, body, status, code]): Case => ({
      name: `a body: ${name}`,
      bytes: ({ patient }) => request(`PUT ${device}`, { token: patient, body }),
      status,
      code,
    }),
  ),
  {
    name: 'a megabyte for a route that takes no body is not read',
    bytes: ({ patient }) => request('GET /de/v1/users/me', { token: patient, body: '{'.repeat(megabyte) }),
    status: 200,
    code: null,
  },
  {
    name: 'eleven megabytes without a token',
    bytes: () => request(`PUT ${device}`, { body: 'x'.repeat(11 * megabyte) }),
    status: 401,
    code: 'UNAUTHENTICATED',
  },
  {
    name: 'a body that is only announced, too large',
    bytes: ({ patient }) =>
      `PUT ${device} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${patient}\r\n` +
      'Content-Length: 99999999\r\nConnection: close\r\n\r\n{',
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
  },
];
