/** The rules of a user's profile. */

export type User = {
  userId: string;
  application: string;
  username: string;
  email: string | null;
  locale: string | null;
  timezone: string | null;
  createdAt: string;
};

/** What the user pool says of a user. */
export type PoolUser = { username: string; email: string | null };

export type Changes = { locale?: string | null | undefined; timezone?: string | null | undefined };

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

/** The changes as they are stored: in the spelling of the registries, whatever case they came in. */
export function canonicalChanges({ locale, timezone }: Changes): Changes {
  return {
    ...(locale !== undefined && { locale: locale && (Intl.getCanonicalLocales(locale)[0] ?? locale) }),
    ...(timezone !== undefined && { timezone: timezone && canonicalTimeZone(timezone) }),
  };
}

/** Intl also replaces a zone by another name of it (Asia/Kolkata by Asia/Calcutta); the user keeps the one that was named. */
function canonicalTimeZone(named: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: named }).resolvedOptions();
  return timeZone.toLowerCase() === named.toLowerCase() ? timeZone : named;
}
