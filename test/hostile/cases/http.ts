import { type Bytes, type Case, device, phone, request } from '../case.ts';

/** Verbs, framing and headers: what an HTTP client would never send. */

type Row = [name: string, bytes: Bytes, status: number, code: Case['code'], more?: Partial<Case>];

const front = { isFront: true };
const good = JSON.stringify(phone);
const close = 'Host: localhost\r\nConnection: close\r\n';
const get = (lines: string, line = 'GET /de/v1/health HTTP/1.1') => `${line}\r\n${close}${lines}\r\n`;

const verbs: Row[] = [
  ['a verb of nobody', request('BREW /de/v1/health'), 404, 'ROUTE_NOT_FOUND', front],
  ['TRACE', request('TRACE /de/v1/health'), 404, 'ROUTE_NOT_FOUND'],
  ['CONNECT', request('CONNECT localhost:443'), 404, 'ROUTE_NOT_FOUND', front],
  ['CONNECT to a path', request('CONNECT /de/v1/health'), 404, 'ROUTE_NOT_FOUND', front],
  ['PROPFIND', request('PROPFIND /de/v1/health'), 404, 'ROUTE_NOT_FOUND'],
  ['PURGE', request('PURGE /de/v1/health'), 404, 'ROUTE_NOT_FOUND'],
  ['a verb in small letters', request('get /de/v1/health'), 404, 'ROUTE_NOT_FOUND', front],
  ['OPTIONS *', request('OPTIONS *'), 404, 'ROUTE_NOT_FOUND', front],
  ['POST where there is GET', request('POST /de/v1/users/me/devices'), 404, 'ROUTE_NOT_FOUND'],
  ['DELETE where there is GET', request('DELETE /de/v1/health'), 404, 'ROUTE_NOT_FOUND'],
  [
    'a verb in a header',
    request('GET /de/v1/time-machine', { lines: ['X-HTTP-Method-Override: DELETE'] }),
    401,
    'UNAUTHENTICATED',
  ],
  ['a verb of 10,000 letters', request(`${'A'.repeat(10_000)} /de/v1/health`), 400, 'VALIDATION_FAILED', front],
];

const framing: Row[] = [
  ['garbage', 'hello there\r\n\r\n', 400, 'VALIDATION_FAILED', front],
  ['a TLS handshake', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03', 400, 'VALIDATION_FAILED', front],
  ['HTTP/2 at once', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'VALIDATION_FAILED', front],
  ['HTTP/0.9', 'GET /de/v1/health\r\n\r\n', 400, 'VALIDATION_FAILED', front],
  ['HTTP/9.9', get('', 'GET /de/v1/health HTTP/9.9'), 400, 'VALIDATION_FAILED', front],
  ['two blanks in the first line', get('', 'GET  /de/v1/health HTTP/1.1'), 200, null],
  ['a tab in the first line', get('', 'GET\t/de/v1/health\tHTTP/1.1'), 400, 'VALIDATION_FAILED', front],
  ['a NUL in the target', get('', 'GET /de/v1/\0health HTTP/1.1'), 400, 'VALIDATION_FAILED', front],
  ['only a line feed ends lines', 'GET /de/v1/health HTTP/1.1\nHost: localhost\n\n', 400, 'VALIDATION_FAILED', front],
  ['no Host', 'GET /de/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'VALIDATION_FAILED', front],
  ['two lengths', get('Content-Length: 1\r\nContent-Length: 2\r\n'), 400, 'VALIDATION_FAILED', front],
  ['two lengths in one line', get('Content-Length: 1, 2\r\n'), 400, 'VALIDATION_FAILED', front],
  ['a length below zero', get('Content-Length: -1\r\n'), 400, 'VALIDATION_FAILED', front],
  ['a length with a plus', get('Content-Length: +1\r\n'), 400, 'VALIDATION_FAILED', front],
  ['a hexadecimal length', get('Content-Length: 0x1\r\n'), 400, 'VALIDATION_FAILED', front],
  ['a length beyond 64 bits', get('Content-Length: 99999999999999999999999\r\n'), 400, 'VALIDATION_FAILED', front],
  ['length and chunks', get('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'), 400, 'VALIDATION_FAILED', front],
  ['chunks, then another coding', get('Transfer-Encoding: chunked, identity\r\n'), 400, 'VALIDATION_FAILED', front],
  ['chunks behind a blank', get('Transfer-Encoding : chunked\r\n'), 400, 'VALIDATION_FAILED', front],
  ['chunks behind a vertical tab', get('Transfer-Encoding: \x0bchunked\r\n'), 400, 'VALIDATION_FAILED', front],
  [
    'a second request hidden in a body that was not announced',
    `${get('').replace('Connection: close\r\n', '')}${get('', 'GET /de/v1/users/me HTTP/1.1')}`,
    200,
    null,
    { answers: 2 },
  ],
];

const headers: Row[] = [
  ['no colon', get('Hello\r\n'), 400, 'VALIDATION_FAILED', front],
  ['no name', get(': value\r\n'), 400, 'VALIDATION_FAILED', front],
  ['a blank in a name', get('X Evil: 1\r\n'), 400, 'VALIDATION_FAILED', front],
  ['a NUL in a value', get('X-Evil: a\0b\r\n'), 400, 'VALIDATION_FAILED', front],
  ['a NUL in a name', get('X-\0Evil: a\r\n'), 400, 'VALIDATION_FAILED', front],
  ['a folded line', get('X-Evil: a\r\n b\r\n'), 400, 'VALIDATION_FAILED', front],
  ['a carriage return in a value', get('X-Evil: a\rb\r\n'), 400, 'VALIDATION_FAILED', front],
  ['values of 20,000', get(`X-Long: ${'a'.repeat(20_000)}\r\n`), 413, 'PAYLOAD_TOO_LARGE'],
  ['a head of 60,000', get(`X-Long: ${'a'.repeat(60_000)}\r\n`), 413, 'PAYLOAD_TOO_LARGE', front],
  ['a name of 60,000', get(`${'a'.repeat(60_000)}: 1\r\n`), 413, 'PAYLOAD_TOO_LARGE', front],
  ['500 lines', get('X-Many: a\r\n'.repeat(500)), 200, null],
  ['inherited names', get('__proto__: a\r\nconstructor: b\r\ntoString: c\r\nhasOwnProperty: d\r\n'), 200, null],
  ['bytes beyond ASCII', get('X-Latin: \xe4\xf6\xfc\xff\r\nAccept-Language: \xff\xfe\r\n'), 200, null],
  ['two Hosts', get('Host: evil.example\r\n'), 200, null],
  ['a Host of elsewhere', 'GET /de/v1/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 200, null],
  ['a Host of a path', 'GET /de/v1/health HTTP/1.1\r\nHost: /../\r\nConnection: close\r\n\r\n', 200, null],
  ['a forwarded address', get('X-Forwarded-For: 127.0.0.1, ::1\r\nForwarded: for=_admin\r\n'), 200, null],
  ['a path to rewrite to', get('X-Original-URL: /v2/users\r\nX-Rewrite-URL: /v2/users\r\n'), 200, null],
  ['an upgrade', get('Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n'), 200, null],
  ['an unknown expectation', get('Expect: the-moon\r\n'), 200, null],
  ['ranges without end', get(`Range: bytes=${'0-,'.repeat(1000)}0-\r\n`), 200, null],
  ['languages without end', get(`Accept-Language: ${'a;q=0.1,'.repeat(1000)}b\r\n`), 200, null],
  ['a type that nobody makes', get('Accept: image/x-nothing\r\n'), 200, null],
  [
    'a caller by header',
    get('X-Amzn-Principal-Id: admin\r\nuserId: admin\r\n', 'GET /de/v1/users/me HTTP/1.1'),
    401,
    'UNAUTHENTICATED',
  ],
  ['an absolute target', get('', 'GET http://evil.example/de/v1/health HTTP/1.1'), 200, null],
  ['an absolute target of FTP', get('', 'GET ftp://evil.example/de/v1/health HTTP/1.1'), 404, 'ROUTE_NOT_FOUND', front],
];

const withBody: Case[] = [
  {
    name: 'framing: more follows than the length says, on a connection that was to end',
    bytes: ({ patient }) =>
      `PUT ${device} HTTP/1.1\r\n${close}Authorization: Bearer ${patient}\r\nContent-Type: application/json\r\n` +
      `Content-Length: 20\r\n\r\n${good}`,
    status: 400,
    code: 'VALIDATION_FAILED',
    isFront: true,
  },
  {
    name: 'framing: a broken chunk',
    bytes: ({ patient }) =>
      `PUT ${device} HTTP/1.1\r\n${close}Authorization: Bearer ${patient}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n`,
    status: 400,
    code: 'VALIDATION_FAILED',
    isFront: true,
  },
  {
    name: 'framing: a chunk of 2^64',
    bytes: ({ patient }) =>
      `PUT ${device} HTTP/1.1\r\n${close}Authorization: Bearer ${patient}\r\nTransfer-Encoding: chunked\r\n\r\n` +
      'ffffffffffffffffff\r\n{}\r\n0\r\n\r\n',
    status: 400,
    code: 'VALIDATION_FAILED',
    isFront: true,
  },
  {
    name: 'framing: a body in chunks of one byte is fine',
    bytes: ({ patient }) =>
      `PUT ${device} HTTP/1.1\r\n${close}Authorization: Bearer ${patient}\r\nContent-Type: application/json\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n${[...good].map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`,
    status: 200,
    code: null,
  },
  {
    name: 'framing: a request in many pieces is fine',
    bytes: ({ patient }) => {
      const whole = request('GET /de/v1/users/me', { token: patient }).toString('latin1');
      return Array.from({ length: 8 }, (_, index) =>
        whole.slice((index * whole.length) / 8, ((index + 1) * whole.length) / 8),
      );
    },
    status: 200,
    code: null,
  },
];

const of =
  (kind: string) =>
  ([name, bytes, status, code, more]: Row): Case => ({
    name: `${kind}: ${name}`,
    bytes,
    status,
    code,
    ...more,
  });

export const http: readonly Case[] = [
  ...verbs.map(of('a verb')),
  ...framing.map(of('framing')),
  ...headers.map(of('a header')),
  ...withBody,
];
