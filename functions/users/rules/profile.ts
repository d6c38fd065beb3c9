import { createHash } from 'node:crypto';

/** The rules of a user's profile. */

export type User = {
  userId: string;
  application: string;
  username: string;
  email: string | null;
  locale: string | null;
  timezone: string | null;
  /** Stated at the sign-up, or once in the profile. Absent if the user has not stated it. */
  birthYear?: number;
  createdAt: string;
};

/** What is left of an erased user, so that none of that id is made again. */
export type Erased = { userId: string; erasedAt: string };

/** Whose an address is. Somebody may have planted the row. */
export type EmailRow = { userId: string; owner: unknown };

export function isErased(row: User | Erased): row is Erased {
  // Beside a profile it was planted: the profile would outlive its erasure.
  return 'erasedAt' in row && !('application' in row);
}

/** With what the row of a user has, and no longer than it can be: whoever may put a row can fill it, so that nothing more fits in. */
export function storable({ userId, application, username, email, locale, timezone, birthYear, createdAt }: User): User {
  const text = (value: unknown, most: number) => (typeof value === 'string' && value.length <= most ? value : null);
  return {
    userId,
    application: text(application, 100) ?? '',
    username: text(username, 128) ?? userId,
    email: text(email, 254),
    locale: text(locale, 64),
    timezone: text(timezone, 64),
    ...(typeof birthYear === 'number' && { birthYear }),
    createdAt: text(createdAt, 24) ?? new Date(0).toISOString(),
  };
}

/** What the user pool says of a user. */
export type PoolUser = { username: string; email: string | null };

export type Changes = {
  locale?: string | null | undefined;
  timezone?: string | null | undefined;
  birthYear?: number | undefined;
};

/** @param known null where the pool does not know the user; the token is valid all the same */
export function newUser(
  { userId, application, now }: { userId: string; application: string; now: Date },
  known: PoolUser | null,
): User {
  return {
    userId,
    application,
    username: known?.username ?? userId,
    email: known?.email ?? null,
    locale: null,
    timezone: null,
    createdAt: now.toISOString(),
  };
}

/** Two spellings of one address: the pools tell none of them apart by case. */
export function comparableEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** Under which key stands whose an address is. The address itself is in no key, since CloudTrail records keys. */
export function emailKey(application: string, email: string): string {
  const digest = createHash('sha256')
    .update(`${application}#${comparableEmail(email)}`)
    .digest('hex');
  return `email#${digest}`;
}

/** The changes as they are stored: in the spelling of the registries, whatever case they came in. */
export function canonicalChanges({ locale, timezone, birthYear }: Changes): Changes {
  return {
    ...(locale !== undefined && { locale: locale && (Intl.getCanonicalLocales(locale)[0] ?? locale) }),
    ...(timezone !== undefined && { timezone: timezone && canonicalTimeZone(timezone) }),
    ...(birthYear !== undefined && { birthYear }),
  };
}

/** The zone of a profile; null where it names none. Others may write a profile: it keeps nobody from answering. */
export function knownZone(timezone: unknown): string | null {
  try {
    return typeof timezone === 'string' ? canonicalTimeZone(timezone) : null;
  } catch {
    return null;
  }
}

/** Intl also replaces a zone by another name of it (Asia/Kolkata by Asia/Calcutta); the user keeps the one that was named. */
export function canonicalTimeZone(named: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: named }).resolvedOptions();
  return timeZone.toLowerCase() === named.toLowerCase() ? timeZone : named;
}
