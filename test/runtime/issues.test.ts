import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { guide } from '../../lib/contract/common-errors-guide.ts';
import { HttpsAddress, Id, Instant, KnownLocale, Locale, Sha256, TimeZone } from '../../lib/contract/fields.ts';
import { type IssueCode, issue, issueCodes } from '../../lib/contract/issues.ts';
import { issuesOf } from '../../lib/runtime/issues.ts';

/** The stable code of what does not fit. */

const object = (name: z.core.$ZodType) => z.object({ name });
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a'), one: z.string() }),
  z.object({ kind: z.literal('b') }),
]);

test.each<[string, z.core.$ZodType, unknown, [string, IssueCode][]]>([
  ['no body', object(z.string()), undefined, [['', 'required']]],
  ['another body', object(z.string()), [], [['', 'invalid_type']]],
  ['nothing', object(z.string()), {}, [['name', 'required']]],
  ['null', object(z.string()), { name: null }, [['name', 'invalid_type']]],
  ['a number for a text', object(z.string()), { name: 1 }, [['name', 'invalid_type']]],
  ['an enum left out', object(z.enum(['a'])), {}, [['name', 'required']]],
  ['another name', object(z.enum(['a'])), { name: 'b' }, [['name', 'invalid_value']]],
  ['another constant', object(z.literal('a')), { name: 1 }, [['name', 'invalid_value']]],
  ['a short text', object(z.string().check(z.minLength(1))), { name: '' }, [['name', 'too_short']]],
  ['a long text', object(z.string().check(z.maxLength(1))), { name: 'ab' }, [['name', 'too_long']]],
  ['a short list', object(z.array(z.string()).check(z.minLength(1))), { name: [] }, [['name', 'too_short']]],
  ['a long list', object(z.array(z.string()).check(z.maxLength(0))), { name: [''] }, [['name', 'too_long']]],
  ['a small number', object(z.number().check(z.gte(1))), { name: 0 }, [['name', 'too_small']]],
  ['a big number', object(z.int().check(z.lte(1))), { name: 2 }, [['name', 'too_big']]],
  ['a fraction', object(z.int()), { name: 1.5 }, [['name', 'invalid_type']]],
  ['a whole number beyond', object(z.int()), { name: 2 ** 60 }, [['name', 'too_big']]],
  ['a multiple of another', object(z.number().check(z.multipleOf(2))), { name: 3 }, [['name', 'invalid_value']]],
  ['no hash', object(Sha256), { name: 'x' }, [['name', 'invalid_format']]],
  ['no address', object(HttpsAddress), { name: 'x' }, [['name', 'invalid_format']]],
  [
    'an address with credentials: https://user@a.de/',
    object(HttpsAddress),
    { name: 'https://user@a.de/' },
    [['name', 'invalid_format']],
  ],
  [
    'an address with credentials: https://user:secret@a.de/',
    object(HttpsAddress),
    { name: 'https://user:secret@a.de/' },
    [['name', 'invalid_format']],
  ],
  [
    'an address with credentials: https://:secret@a.de/',
    object(HttpsAddress),
    { name: 'https://:secret@a.de/' },
    [['name', 'invalid_format']],
  ],
  [
    'an address with credentials: https://@a.de/',
    object(HttpsAddress),
    { name: 'https://@a.de/' },
    [['name', 'invalid_format']],
  ],
  [
    'an address with credentials: https://a.de@b.de/',
    object(HttpsAddress),
    { name: 'https://a.de@b.de/' },
    [['name', 'invalid_format']],
  ],
  ['an address with a NUL', object(HttpsAddress), { name: 'https://a.de/\0/' }, [['name', 'invalid_format']]],
  ['no time', object(Instant), { name: 'x' }, [['name', 'invalid_format']]],
  ['a time left out', object(Instant), {}, [['name', 'required']]],
  ['a reserved id', object(Id), { name: 'me' }, [['name', 'invalid_value']]],
  ['a tag of no form', object(KnownLocale), { name: '!' }, [['name', 'invalid_format']]],
  ['a zone of nowhere', object(TimeZone), { name: 'Europe/Atlantis' }, [['name', 'invalid_value']]],
  ['a map’s name of no form', z.record(Locale, z.string()), { '!': 'x' }, [['!', 'invalid_format']]],
  ['no kind', kinds, {}, [['kind', 'required']]],
  ['an unknown kind', kinds, { kind: 'c' }, [['kind', 'invalid_value']]],
  ['a kind without its field', kinds, { kind: 'a' }, [['one', 'required']]],
  ['a field that is only inherited', z.object({ toString: z.string() }), {}, [['toString', 'required']]],
  ['a list’s item', object(z.array(z.object({ a: z.string() }))), { name: [{}] }, [['name[0].a', 'required']]],
  [
    'a rule of ours',
    object(z.string().check(z.refine(() => false, issue('inconsistent', 'must fit')))),
    { name: '' },
    [['name', 'inconsistent']],
  ],
  ['a rule without a code', object(z.string().check(z.refine(() => false))), { name: '' }, [['name', 'invalid_value']]],
  [
    'two at once',
    z.object({ a: z.string(), b: z.int() }),
    { b: 'x' },
    [
      ['a', 'required'],
      ['b', 'invalid_type'],
    ],
  ],
])('%s', (_name, schema, value, expected) => {
  const { error } = z.safeParse(schema, value);
  if (!error) throw new Error('it fits');
  const issues = issuesOf('body', error, value);
  expect(issues.map(({ path, code }) => [path, code])).toEqual(expected);
  expect(issues.every(({ in: place, message }) => place === 'body' && message !== '')).toBe(true);
});

test('the guide explains every code', () => {
  for (const code of issueCodes) expect(guide.ValidationFailed.client).toContain(`\`${code}\` (`);
});
