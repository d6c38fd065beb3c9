import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { Id, Instant, oneLine, RecordedVersion, WantedLocale, wellFormed } from '../../../lib/contract/fields.ts';
import type { ImportedLine } from '../rules/imported-consent.ts';

/** One line of a file of consents: a JSON object. Other fields are refused, so that a misspelt one is not lost. */
const Line = z.strictObject({
  userId: Id,
  agreementId: Id,
  versionId: Id,
  action: z.enum(['agreed', 'revoked']),
  recordedAt: Instant,
  /** The locale that the user was shown; the version's default locale if it is missing. */
  locale: z.optional(WantedLocale),
  appVersion: z.optional(RecordedVersion),
  sourceId: z.optional(z.string().check(z.minLength(1), z.maxLength(200), wellFormed, oneLine)),
});

/** zod/mini has no error messages of its own. */
const { localeError: inWords } = en();

export type ReadLine = ImportedLine & { locale: string | null; appVersion: string | null };

/** Checks a line by itself. @returns a sentence if the line is not a consent */
export function readLine(text: string, now: Date): ReadLine | string {
  const parsed = z.safeParse(Line, jsonIn(text), { error: inWords });
  if (!parsed.success) {
    return parsed.error.issues
      .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
      .join('; ');
  }
  const { recordedAt, locale = null, appVersion = null, sourceId = null, ...line } = parsed.data;
  if (recordedAt > now.toISOString()) return `recordedAt: ${recordedAt} is in the future`;
  return { ...line, recordedAt, locale, appVersion, sourceId };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
