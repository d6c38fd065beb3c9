import { type Case, request } from '../case.ts';

/** Query strings: repeated, out of range, of other kinds, and other callers' cursors. */

type Row = [name: string, query: string, status: number, code: Case['code'], isFront?: boolean];

const rows: Row[] = [
  ['a limit of 0', 'limit=0', 400, 'VALIDATION_FAILED'],
  ['a limit of 101', 'limit=101', 400, 'VALIDATION_FAILED'],
  ['a limit below zero', 'limit=-1', 400, 'VALIDATION_FAILED'],
  ['a limit with a point', 'limit=1.5', 400, 'VALIDATION_FAILED'],
  ['a limit with an exponent', 'limit=1e1', 400, 'VALIDATION_FAILED'],
  ['a hexadecimal limit', 'limit=0x10', 400, 'VALIDATION_FAILED'],
  ['an empty limit', 'limit=', 400, 'VALIDATION_FAILED'],
  ['a limit without a value', 'limit', 400, 'VALIDATION_FAILED'],
  ['a limit of a word', 'limit=NaN', 400, 'VALIDATION_FAILED'],
  ['a limit of a thousand digits', `limit=${'9'.repeat(1000)}`, 400, 'VALIDATION_FAILED'],
  ['a limit in Arabic digits', 'limit=%D9%A1%D9%A0', 400, 'VALIDATION_FAILED'],
  ['a limit with a blank', 'limit=%2010', 400, 'VALIDATION_FAILED'],
  ['a limit with a NUL', 'limit=10%00', 400, 'VALIDATION_FAILED'],
  ['two limits', 'limit=1&limit=2', 400, 'VALIDATION_FAILED'],
  ['two limits, parted by a semicolon', 'limit=1;limit=2', 400, 'VALIDATION_FAILED'],
  ['two limits, one escaped', 'limit=1&%6cimit=2', 400, 'VALIDATION_FAILED'],
  ['a limit with a broken escape', 'limit=%', 400, 'VALIDATION_FAILED'],
  ['two locales', 'locale=de&locale=en', 400, 'VALIDATION_FAILED'],
  ['a locale that is a path', 'locale=..%2F..%2Fetc', 400, 'VALIDATION_FAILED'],
  ['a locale of 36', `locale=${'a'.repeat(36)}`, 400, 'VALIDATION_FAILED'],
  ['a raw brace', 'locale={en}', 400, 'VALIDATION_FAILED', true],
  ['a raw pipe', 'locale=a|b', 400, 'VALIDATION_FAILED', true],
  ['an empty cursor', 'cursor=', 400, 'INVALID_CURSOR'],
  ['a made-up cursor', 'cursor=bWFkZS11cA', 400, 'INVALID_CURSOR'],
  ['a cursor of JSON', `cursor=${encodeURIComponent('{"agreementId":"marketing"}')}`, 400, 'INVALID_CURSOR'],
  ['a cursor of 8,000', `cursor=${'A'.repeat(8000)}`, 400, 'INVALID_CURSOR'],
  ['a cursor of zeros', `cursor=${'A'.repeat(64)}`, 400, 'INVALID_CURSOR'],
  ['two cursors', 'cursor=a&cursor=b', 400, 'VALIDATION_FAILED'],
  ['an array in PHP’s words', 'limit[]=1', 200, null],
  ['an object in qs’ words', 'limit[$gt]=1', 200, null],
  ['an inherited name', '__proto__=1&__proto__[limit]=0&constructor.prototype.limit=0', 200, null],
  ['a thousand parameters', Array.from({ length: 1000 }, (_, index) => `a${index}=1`).join('&'), 200, null],
  ['nothing but separators', '&&&;;==&=&?', 200, null],
  ['an escaped line feed in a name', 'a%0d%0aX-Evil:%201=1', 200, null],
  ['11,000 characters', `a=${'b'.repeat(11_000)}`, 413, 'PAYLOAD_TOO_LARGE'],
];

const list = '/de/v1/users/agreements';

const cursors: Case[] = [
  {
    name: "a cursor of another's same list",
    bytes: ({ patient, agreementsCursorOfOther }) =>
      request(`GET ${list}?limit=1&cursor=${agreementsCursorOfOther}`, { token: patient }),
    status: 400,
    code: 'INVALID_CURSOR',
  },
  {
    name: "a cursor of another's board",
    bytes: ({ patient, messagesCursorOfOther }) =>
      request(`GET /de/v1/agent-board/messages?cursor=${messagesCursorOfOther}`, { token: patient }),
    status: 400,
    code: 'INVALID_CURSOR',
  },
  {
    name: "a cursor of one's own other list",
    bytes: ({ patient, devicesCursor }) => request(`GET ${list}?cursor=${devicesCursor}`, { token: patient }),
    status: 400,
    code: 'INVALID_CURSOR',
  },
  {
    name: 'a cursor of the other application',
    bytes: ({ patient, agreementsCursorOfPhysician }) =>
      request(`GET ${list}?cursor=${agreementsCursorOfPhysician}`, { token: patient }),
    status: 400,
    code: 'INVALID_CURSOR',
  },
  {
    name: 'a cursor with one letter changed',
    bytes: ({ patient, agreementsCursor }) => {
      const changed = (agreementsCursor.startsWith('A') ? 'B' : 'A') + agreementsCursor.slice(1);
      return request(`GET ${list}?cursor=${changed}`, { token: patient });
    },
    status: 400,
    code: 'INVALID_CURSOR',
  },
  {
    name: 'a cursor that was cut',
    bytes: ({ patient, agreementsCursor }) =>
      request(`GET ${list}?cursor=${agreementsCursor.slice(0, -2)}`, { token: patient }),
    status: 400,
    code: 'INVALID_CURSOR',
  },
  {
    name: 'a cursor with a padding',
    bytes: ({ patient, agreementsCursor }) => request(`GET ${list}?cursor=${agreementsCursor}%3D`, { token: patient }),
    status: 400,
    code: 'INVALID_CURSOR',
  },
  {
    name: "one's own cursor is fine",
    bytes: ({ patient, agreementsCursor }) => request(`GET ${list}?cursor=${agreementsCursor}`, { token: patient }),
    status: 200,
    code: null,
  },
];

export const queries: readonly Case[] = [
  ...rows.map(
    ([name, query, status, code, isFront = false]): Case => ({
      name: `a query: ${name}`,
      bytes: ({ patient }) => request(`GET ${list}?${query}`, { token: patient }),
      status,
      code,
      isFront,
    }),
  ),
  ...cursors,
];
