import { skewMs } from '../../../lib/contract/instant.ts';

/**
 * "This was not me": a mail about an act on an account has a link that ends all sessions and the password. Single use follows from
 * times: securing the account makes void each link that was mailed before. Pure; in real time.
 */

/** What the token of a link says. It is sealed, so nobody else can make or read one. */
export type SecureLink = {
  readonly application: 'sleepcare' | 'medinfo';
  readonly userId: string;
  /** ISO 8601 */
  readonly mailedAt: string;
  /** ISO 8601 */
  readonly validUntil: string;
  /** The address that the account gets back. */
  readonly restores?: string;
};

/** How long a change of the address can be undone from the old one: 7 days. */
export const formerAddressSeconds = 7 * 86_400;

/** An address that the account had. */
export type FormerAddress = { readonly email: string; readonly until: string };

/** What is known of an account whose owner may say "this was not me". */
export type AccountActs = {
  /** ISO 8601; null: never, or so long ago that no link is left of that time. */
  readonly securedAt: string | null;
  /** Oldest first. */
  readonly former: readonly FormerAddress[];
  /** The address that a change under way leaves: the pool no longer has it when the change is repeated. */
  readonly leaving: string | null;
};

/** How an account's acts are stored. */
export type AccountRow = {
  mailRecord: string;
  /** Whose turn it is or was last: it names this state of the row, so whoever takes the next turn has read what this one noted. */
  turn: string;
  /** Milliseconds since 1970. */
  turnUntil: number;
  securedAt?: string;
  /** Sealed. */
  former?: string;
  expiresAt: number;
};

/** Whose address it was. */
export type Held = { readonly mailRecord: string; readonly holder: string; readonly expiresAt: number };

/** A thief who changes the address many times must not push the owner's out: so the oldest stay. */
const mostFormer = 5;

/** The link of any mail signs out for so long: 24 hours. */
export const secureSeconds = 86_400;

/** Those that can still be given back. */
function leftOf(former: readonly FormerAddress[], now: Date): FormerAddress[] {
  return former.filter(({ until }) => until > now.toISOString());
}

/**
 * The former addresses once the account has another one. If that is one of them, whoever reads its mails went back to it: it and what
 * came after it are no longer former addresses.
 */
export function withFormer(former: readonly FormerAddress[], { from, to }: AddressChange, now: Date): FormerAddress[] {
  const left = leftOf(former, now);
  const back = left.findIndex(({ email }) => email === to);
  if (back >= 0) return left.slice(0, back);
  const until = new Date(now.getTime() + formerAddressSeconds * 1000).toISOString();
  const known = left.findIndex(({ email }) => email === from);
  // The same change again, or one after a change that was refused.
  if (known >= 0) return left.with(known, { email: from, until });
  return left.length < mostFormer ? [...left, { email: from, until }] : left;
}

/** The address that a change to another one leaves. @param inPool that of the pool; never that of a profile, which others may write */
export function leftBy({ leaving }: AccountActs, inPool: string | null, to: string): string | null {
  const from = inPool === to ? leaving : inPool;
  return from === to ? null : from;
}

type AddressChange = { readonly from: string; readonly to: string };

type Effect = {
  /** What can be undone afterwards. */
  readonly left: readonly FormerAddress[];
  /** The address that the account gets back; null: none. */
  readonly restores: string | null;
};

/**
 * What a link still does. A link to an address also works after the account was secured with a link to a later one: the oldest address
 * is the owner's, since the account had it before whatever happened. If the address cannot be given back any more, its link does what
 * the others do.
 *
 * @returns null where it does nothing any more
 */
export function effectOf(
  { mailedAt, restores }: SecureLink,
  { securedAt, former }: Pick<AccountActs, 'securedAt' | 'former'>,
  now: Date,
): Effect | null {
  const left = leftOf(former, now);
  const at = restores === undefined ? -1 : left.findIndex(({ email }) => email === restores);
  if (restores !== undefined && at >= 0) return { left: left.slice(0, at), restores };
  const age = now.getTime() - Date.parse(mailedAt);
  // A link of a time to come is of nobody's mail, and would never be used up.
  const isFresh = -skewMs <= age && age < secureSeconds * 1000;
  return isFresh && mailedAt > (securedAt ?? '') ? { left, restores: null } : null;
}
