import fc from 'fast-check';

/** Values of no schema: what has broken other services. */

const texts = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\udc00b',
  '\u202e\ufeff',
  '__proto__',
  'constructor',
  'null',
  '../../etc/passwd',
  "' OR '1'='1",
  '{{7*7}}%n%s$(id)`id`',
  '<script>alert(1)</script>',
  'a\r\nSet-Cookie: b=c',
  '#',
  'me',
  '~board',
  'x'.repeat(300),
  '0000-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  'PT999999999H',
  '-P999999999W',
  '999999999.999999999.999999999.999999999',
];

export const wildText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 100 }),
);

export const wild: fc.Arbitrary<unknown> = fc.oneof(
  wildText,
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 53),
  fc.constantFrom<unknown>([], {}, [[]], [null], { $ne: 1 }, { S: 'a' }, { length: -1 }, 'x'.repeat(20_000)),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);
