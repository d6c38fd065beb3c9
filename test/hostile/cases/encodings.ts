import { gzipSync } from 'node:zlib';
import { type Case, device, type Parts, phone, request } from '../case.ts';

/** Character sets, media types and content codings. */

const good = JSON.stringify(phone);

const sent =
  (parts: Parts) =>
  ({ patient }: { patient: string }) =>
    request(`PUT ${device}`, { token: patient, body: good, ...parts });

const types: [string, string | null][] = [
  ['no type', null],
  ['an empty type', ''],
  ['text/plain', 'text/plain'],
  ['text/json', 'text/json'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['multipart', 'multipart/form-data; boundary=x'],
  ['XML', 'application/xml'],
  ['octets', 'application/octet-stream'],
  ['merge-patch', 'application/merge-patch+json'],
  ['JSON in UTF-16', 'application/json; charset=utf-16'],
  ['JSON in latin1', 'application/json; charset=iso-8859-1'],
  ['JSON in UTF-7', 'application/json; charset=utf-7'],
  ['two types', 'application/json, text/plain'],
  ['JSON with another parameter', 'application/json; profile=x'],
  ['two charsets', 'application/json; charset=utf-8; charset=utf-16'],
  ['a wildcard', '*/*'],
  ['a type with a slow tail', `application/json${' '.repeat(8000)}x`],
];

const bodies: [string, Buffer, Case['code']][] = [
  ['UTF-16, little-endian', Buffer.from(good, 'utf16le'), 'MALFORMED_JSON'],
  ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good, 'utf16le')]), 'MALFORMED_JSON'],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${good}`), 'MALFORMED_JSON'],
  ['random bytes', Buffer.from([0x80, 0xff, 0x00, 0xfe, 0x7b, 0x7d]), 'MALFORMED_JSON'],
  ['invalid UTF-8 in a value', Buffer.from(good.replace('aaaa', 'a\xff\xfea'), 'latin1'), 'VALIDATION_FAILED'],
  ['an overlong slash in a value', Buffer.from(good.replace('aaaa', 'a\xc0\xafa'), 'latin1'), 'VALIDATION_FAILED'],
  ['half a surrogate in UTF-8', Buffer.from(good.replace('aaaa', 'a\xed\xa0\x80a'), 'latin1'), 'VALIDATION_FAILED'],
  ['latin1 in a locale', Buffer.from(good.replace('"en"', '"d\xe9"'), 'latin1'), 'VALIDATION_FAILED'],
];

const coded: [string, string, Buffer][] = [
  ['gzip', 'gzip', gzipSync(good)],
  ['a gzip bomb', 'gzip', gzipSync(Buffer.alloc(20_000_000, ' '))],
  ['Brotli that is none', 'br', Buffer.from('hello')],
];

export const encodings: readonly Case[] = [
  ...types.map(
    ([name, contentType]): Case => ({
      name: `a body of another type: ${name}`,
      bytes: sent({ contentType }),
      status: 400,
      code: 'UNSUPPORTED_CONTENT_TYPE',
    }),
  ),
  {
    name: 'two Content-Type lines',
    bytes: sent({ lines: ['Content-Type: text/plain'] }),
    status: 400,
    code: 'UNSUPPORTED_CONTENT_TYPE',
  },
  ...bodies.map(
    ([name, body, code]): Case => ({ name: `a body in ${name}`, bytes: sent({ body }), status: 400, code }),
  ),
  ...coded.map(
    ([name, coding, body]): Case => ({
      name: `a coded body: ${name}`,
      bytes: sent({ body, lines: [`Content-Encoding: ${coding}`] }),
      status: 400,
      code: 'MALFORMED_JSON',
    }),
  ),
  {
    name: 'utf-8 in quotes and capitals is fine',
    bytes: sent({ contentType: 'APPLICATION/JSON ; Charset="UTF-8"' }),
    status: 200,
    code: null,
  },
];
