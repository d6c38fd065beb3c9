import { type Case, device, phone, request } from '../case.ts';

/** Bodies that are no JSON, or JSON of another shape than the route declares. */

const registered =
  (body: string | Buffer) =>
  ({ patient }: { patient: string }) =>
    request(`PUT ${device}`, { token: patient, body });

const noJson: [string, string | Buffer][] = [
  ['an open object', '{'],
  ['an open array', '['],
  ['an open string', '{"platform":"ios'],
  ['a name without a value', '{"platform":}'],
  ['a name without quotes', '{platform:"ios"}'],
  ['single quotes', "{'platform':'ios'}"],
  ['a comma after the last', '{"platform":"ios",}'],
  ['two commas', '{"platform":"ios",,"token":"a"}'],
  ['no comma', '{"platform":"ios" "token":"a"}'],
  ['a comment', '{"platform":"ios"/* hello */}'],
  ['two documents', '{}{}'],
  ['a document and a NUL', '{}\0'],
  ['NaN', '{"badge":NaN}'],
  ['Infinity', '{"badge":-Infinity}'],
  ['undefined', 'undefined'],
  ['a hexadecimal number', '{"badge":0x10}'],
  ['a number with a leading zero', '{"badge":01}'],
  ['a number with a plus', '{"badge":+1}'],
  ['a number that ends in a point', '{"badge":1.}'],
  ['a word', 'hello'],
  ['a raw line feed in a string', '{"platform":"i\nos"}'],
  ['a raw tab in a string', '{"platform":"i\tos"}'],
  ['a broken \\u escape', '{"platform":"\\u00g0"}'],
  ['an unknown escape', '{"platform":"\\x41"}'],
  ['XML', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['a form', 'platform=ios&token=a'],
  ['YAML', 'platform: ios\n'],
  ['a template', '{{7*7}}'],
  ['the prefix against hijacking', ")]}',\n{}"],
  ['an open array, 100,000 deep', '['.repeat(100_000)],
  ['arrays, 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  [
    'a value, 50,000 objects deep',
    JSON.stringify(phone).replace('"ios"', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  ],
  ['objects, 100,000 deep and open', '{"a":'.repeat(100_000)],
];

const otherShapes: [string, string][] = [
  ['an array', '[]'],
  ['an array with the object', JSON.stringify([phone])],
  ['a string', '"hello"'],
  ['an empty string', '""'],
  ['a number', '42'],
  ['a number beyond every double', '1e999'],
  ['true', 'true'],
  ['false', 'false'],
  ['an empty object', '{}'],
  ['null, which is no body', 'null'],
  ['blanks, which are no body', ' \t\r\n '],
  ['the object in a string', JSON.stringify(JSON.stringify(phone))],
];

/** One field of a good registration replaced. */
const wrongFields: [string, object][] = [
  ['a platform in capitals', { platform: 'IOS' }],
  ['a platform in an array', { platform: ['ios'] }],
  ['a platform that is null', { platform: null }],
  ['an empty platform', { platform: '' }],
  ['an operator in place of the platform', { platform: { $ne: 'android' } }],
  ['an operator in place of the token', { token: { $gt: '' } }],
  ['an attribute value of DynamoDB', { token: { S: 'a' } }],
  ['an empty token', { token: '' }],
  ['a token with a blank', { token: 'a b' }],
  ['a token with a NUL', { token: 'a\0b' }],
  ['a token with a line feed', { token: 'a\nb' }],
  ['a token with other letters than ASCII', { token: 'tökén' }],
  ['a token of 4,097', { token: 'a'.repeat(4097) }],
  ['a number for a token', { token: 12345 }],
  ['true for a token', { token: true }],
  ['an unknown environment', { environment: 'constructor' }],
  ['an inherited name for an environment', { environment: '__proto__' }],
  ['a version of 65', { appVersion: '1'.repeat(65) }],
  ['an empty version', { appVersion: '' }],
  ['a version with a NUL', { appVersion: '1.0\0' }],
  ['a version of two lines', { appVersion: '1.0\n2.0' }],
  ['a version that is a number', { appVersion: 1.1 }],
  ['a locale that is a path', { locale: '../../etc/passwd' }],
  ['a locale of a hundred thousand', { locale: 'a'.repeat(100_000) }],
  ['a locale that makes a slow pattern slow', { locale: `en${'-aaaaaaaa'.repeat(5000)}!` }],
  ['a locale with a NUL', { locale: 'en\0' }],
  ['a locale that is SQL', { locale: "en'; DROP TABLE users; --" }],
  ['half a surrogate pair for a locale', { locale: '\ud800' }],
  ['half a surrogate pair in a version', { appVersion: '1.0\udfff' }],
];

export const json: readonly Case[] = [
  ...noJson.map(
    ([name, body]): Case => ({
      name: `no JSON: ${name}`,
      bytes: registered(body),
      status: 400,
      code: 'MALFORMED_JSON',
    }),
  ),
  ...otherShapes.map(
    ([name, body]): Case => ({
      name: `JSON of another shape: ${name}`,
      bytes: registered(body),
      status: 400,
      code: 'VALIDATION_FAILED',
    }),
  ),
  ...wrongFields.map(
    ([name, fields]): Case => ({
      name: `a wrong field: ${name}`,
      bytes: registered(JSON.stringify({ ...phone, ...fields })),
      status: 400,
      code: 'VALIDATION_FAILED',
    }),
  ),
];
