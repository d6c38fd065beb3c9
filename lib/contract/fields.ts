import * as z from 'zod/mini';
import { withAsciiDomain } from './email-address.ts';
import type { DeclaredError } from './errors.ts';
import { idPattern, isReserved } from './id.ts';
import { instantMs } from './instant.ts';
import { issue } from './issues.ts';

/**
 * The field types that every domain shares (docs/conventions.md). Text of one line: `RecordedVersion`, `HttpsAddress`, and
 * every field with `oneLine` or `visibleLine`. Text of several lines: every field with `manyLines` or `visibleLines`.
 */

/** An id that the service made: 1–64 of `A-Z a-z 0-9 . _ -`. */
export const Id = z.string().check(
  z.regex(idPattern, 'must be 1 to 64 of A-Z a-z 0-9 . _ -'),
  z.refine((id) => !isReserved(id), 'is reserved'),
);

/**
 * An address that HTML's forms accept, with a dot in the domain; blanks around it are removed, and the domain gets its ASCII form.
 * Cognito takes 128 characters, and refuses other forms of addresses that the standards allow.
 */
export const Email = z.string().check(
  z.overwrite((text) => text.trim().replace(/[\u3002\uff0e\uff61]/g, '.')),
  z.maxLength(128, { abort: true }),
  // For clients, roughly: letters of all scripts, which Go's patterns cannot name by escapes.
  z.regex(
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9À-ￜ-]{1,63}\.)+[A-Za-zÀ-ￜ][A-Za-z0-9À-ￜ-]*[A-Za-z0-9À-ￜ]$/,
    { error: 'must be an e-mail address', abort: true },
  ),
  z.overwrite(withAsciiDomain),
  z.maxLength(128, { abort: true }),
  z.refine((text) => asciiDomain.test(text), 'must be an e-mail address'),
);

const asciiDomain = /@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Timestamp = z.iso.datetime({ precision: 3 });

/**
 * A time that a client states: any RFC 3339 instant (`instant.ts` lists the forms). The output is the same time as a
 * `Timestamp`, so all times that are stored or compared as text have one form.
 */
export const Instant = z.pipe(
  z.pipe(
    z.stringFormat(
      'date-time',
      (text) => !Number.isNaN(instantMs(text)),
      'must be an RFC 3339 date-time such as 2026-03-01T09:30:00+01:00',
    ),
    z.transform((text: string) => new Date(instantMs(text)).toISOString()),
  ),
  Timestamp,
);

/** An instant in a query. If the plus of its offset was not percent-encoded, it arrives as a blank. */
export const QueryInstant = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => text.replace(/ (?=\d\d:\d\d$)/, '+')),
  ),
  Instant,
);

/** A BCP 47 language tag: `de`, `en-GB`, `zh-Hans-CN`. */
export const Locale = z
  .string()
  .check(
    z.maxLength(35),
    z.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a BCP 47 language tag such as en or de-AT'),
  );

/** A language tag from a client. It may have the underscore of Android's and Apple's own names: `de_AT`. */
export const WantedLocale = z.pipe(
  z.pipe(
    z.string(),
    z.transform((tag: string) => tag.replaceAll('_', '-')),
  ),
  Locale,
);

/** A language tag that Intl accepts, too; `Locale` also accepts tags that Intl does not know. */
export const KnownLocale = WantedLocale.check(
  z.refine(
    isTakenBy((tag) => Intl.getCanonicalLocales(tag)),
    { error: 'must be a BCP 47 language tag such as en or de-AT', when: isFineSoFar },
  ),
);

/** Short names that ICU adds. They are not IANA's, some stand for several zones (IST), and Temporal refuses them (ECMA-402 section 6.5.1). */
const icuZone = /^(AC|AE|AG|AR|AS|BE|BS|CA|CN|CS|CT|EA|EC|IE|IS|JS|MI|NE|NS|PL|PN|PR|PS|SS|VS)T$/i;

/** An IANA time zone by its name, in any case. An offset such as +01:00 is not one: it has no summer time. */
export const TimeZone = z.string().check(
  z.maxLength(64),
  z.regex(/^[A-Za-z]/, 'must be an IANA time zone such as Europe/Berlin'),
  z.refine((timeZone) => !icuZone.test(timeZone) && isZone(timeZone), {
    error: 'must be an IANA time zone such as Europe/Berlin',
    when: isFineSoFar,
  }),
);

const isZone = isTakenBy((timeZone) => new Intl.DateTimeFormat('en', { timeZone }));

/** One issue is enough. */
function isFineSoFar({ issues }: { issues: readonly unknown[] }): boolean {
  return issues.length === 0;
}

function isTakenBy(make: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      make(text);
      return true;
    } catch {
      return false;
    }
  };
}

/** Half a surrogate pair would be stored as another character than the one that was sent, and its hash would match neither. */
export const wellFormed = z.refine<string>(
  (text) => text.isWellFormed(),
  issue('invalid_format', 'must be well-formed Unicode'),
);

// Unicode's category Cc: C0, DEL and C1. Characters that join emoji or change the writing direction are in another one.
const control = '\\u0000-\\u001f\\u007f-\\u009f';
const controlButBreaks = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';

const hasControl = new RegExp(`[${control}]`);

/** For text of one line: no control characters. They could forge lines in logs and exports, or hide text. */
export const oneLine = z.regex(new RegExp(`^[^${control}]*$`), 'must be one line without control characters');

/** For text of several lines: no control characters other than tabs and line breaks. */
export const manyLines = z.regex(
  new RegExp(`^[^${controlButBreaks}]*$`),
  'must have no control characters other than tabs and line breaks',
);

// One pattern for both rules, since few client generators can read a schema with two patterns.
const visible = '(?=\\s*\\S)';

/** As `oneLine`, and not empty. */
export const visibleLine = z.regex(
  new RegExp(`^${visible}[^${control}]*$`),
  'must not be blank, and be one line without control characters',
);

/** As `manyLines`, and not empty. */
export const visibleLines = z.regex(
  new RegExp(`^${visible}[^${controlButBreaks}]*$`),
  'must not be blank, and have no control characters other than tabs and line breaks',
);

/** Control characters, invisible marks and line separators: they show nothing and can hide something. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;

/** An app's version, as the app states it. A record keeps it unchanged for years, if it is printable. */
export const RecordedVersion = z.string().check(
  z.minLength(1),
  z.maxLength(64),
  wellFormed,
  oneLine,
  z.refine((text) => !unprintable.test(text), issue('invalid_format', 'must be printable')),
);

/** For numbers that are stored: DynamoDB takes none between 0 and 1e-130, and no human measurement comes near that. */
export const notTiny = z.refine<number>(
  (number) => number === 0 || Math.abs(number) >= 1e-9,
  issue('too_small', 'must be 0, or at least 1e-9 away from it'),
);

/** A SHA-256 in lower-case hexadecimal. */
export const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal'));

/** A part of a pre-release: a number or a word. SemVer 2 allows no leading zeros there. */
const identifier = String.raw`(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)`;
const versionPattern = new RegExp(
  String.raw`^\d{1,9}(\.\d{1,9}){0,3}(-${identifier}(\.${identifier})*)?(\+[\dA-Za-z-]+(\.[\dA-Za-z-]+)*)?$`,
);

/**
 * An app's version: one to four numbers, then a pre-release and a build as in SemVer 2: `2.1`, `1.10.0-beta.2+45`. A space
 * stands for a plus that was not percent-encoded in a query.
 */
export const AppVersion = z.string().check(
  z.overwrite((text) => text.trim().replace(' ', '+')),
  z.maxLength(64),
  z.regex(versionPattern, 'must be one to four numbers, such as 2.1.0 or 2.1.0-beta.1'),
);

/** Labels of up to 63 letters, digits and inner hyphens; `z.regexes` would bring all of zod's patterns with it. */
const domain = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;

/** A link that a phone opens. zod drops tabs and line breaks, as browsers do, and accepts the other control characters. */
export const HttpsAddress = z.url({ protocol: /^https$/, hostname: domain, error: 'must be an https address' }).check(
  z.maxLength(2048),
  z.refine((text) => !hasControl.test(text), issue('invalid_format', 'must have no control characters')),
  // People take the part before the @ for the host.
  z.refine((text) => !hasCredentials(text), issue('invalid_format', 'must have no user name and no password')),
);

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '' || /^https:\/*[^/?#]*@/i.test(text);
}

/**
 * Joins the fields of several schemas into one, in this order. It replaces a spread: esbuild would keep a declaration with
 * a spread in every bundle of its file.
 */
export function combined<const A extends object, const B extends object, const C extends object = object>(
  one: A,
  other: B,
  third?: C,
): A & B & C {
  return Object.assign({}, one, other, third);
}

/** The 404 for a path parameter of another form. It names nothing, so it is not a 400. */
export const notFoundErrors = new WeakMap<z.core.$ZodType, DeclaredError>();

/** One of a few names in a path. Any other name gets `error`. */
export function pathName<const N extends string>(names: readonly [N, ...N[]], error: DeclaredError) {
  const schema = z.enum(names);
  notFoundErrors.set(schema, error);
  return schema;
}

/** An id in a path. Anything that is not an id gets `error`. */
export function pathId(error: DeclaredError) {
  const schema = Id.check();
  notFoundErrors.set(schema, error);
  return schema;
}

/** A calendar date. */
export const CalendarDate = z.string().check(
  z.regex(/^(19|20)\d\d-\d\d-\d\d$/, { error: 'must be a date such as 2026-11-22', abort: true }),
  z.refine((text) => !Number.isNaN(instantMs(`${text}T00:00:00Z`)), 'must be a date of the calendar'),
);

/**
 * The answer to a write of data that several phones write. `superseded`: a write that was recorded later stays, and the
 * answer shows that one.
 */
export const WriteOutcome = z.enum(['stored', 'superseded']);

/** A date in a path. Anything that is not a date gets `error`. */
export function pathDate(error: DeclaredError) {
  const schema = CalendarDate.check();
  notFoundErrors.set(schema, error);
  return schema;
}
