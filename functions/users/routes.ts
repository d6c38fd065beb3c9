import * as z from 'zod/mini';
import { ValidationFailed } from '../../lib/contract/common-errors.ts';
import { KnownLocale, Locale, Timestamp, TimeZone } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { append, read } from '../../lib/contract/uses.ts';
import { roles } from '../product.ts';
import { BirthYearStated, UserNotFound } from './errors.ts';
import { readOwnProfile, writeOwnProfile } from './permissions.ts';
import { Users } from './tables.ts';

const both = ['sleepcare', 'medinfo'] as const;

export const User = z.object({
  userId: z.string(),
  username: z.string(),
  /** Null only for a token of a user whom the pool does not know: the local stage makes such tokens. */
  email: z.nullable(z.string()),
  /** Both null until the app has stated them. */
  locale: z.nullable(Locale),
  timezone: z.nullable(z.string()),
  createdAt: Timestamp,
});

export const Profile = z.extend(User, {
  /** Null if the user has not stated it. */
  birthYear: z.nullable(z.int()),
  roles: z.array(z.enum(roles)),
});

/** `""` is read as null, for clients that cannot send null: those that are generated leave it out. */
const orNothing = z.transform((text: string) => (text === '' ? null : text));

const StatedLocale = z
  .string()
  .check(
    z.maxLength(35, { abort: true }),
    z.regex(/^$|^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/, 'must be a BCP 47 language tag such as en or de-AT'),
  );
const StatedTimeZone = z
  .string()
  .check(z.maxLength(64, { abort: true }), z.regex(/^$|^[A-Za-z]/, 'must be an IANA time zone such as Europe/Berlin'));

export const readProfile = route({
  method: 'GET',
  path: '/users/me',
  summary: 'The caller',
  description:
    'The first request with a valid token creates the user. `email` is null if the user pool does not know the ' +
    'user; the local stage can issue tokens for such users.',
  applications: both,
  auth: readOwnProfile,
  closedAccount: 'read',
  uses: [read(Users), append(Users), userPool('read')],
  response: Profile,
  errors: [UserNotFound],
});

export const updateProfile = route({
  method: 'PATCH',
  path: '/users/me',
  summary: "Changes the caller's locale and time zone, or states the year of birth",
  description:
    'A field that is left out stays as it is. null clears a field, and so does `""`, for clients that cannot send null. ' +
    '`birthYear` can be stated once, by users who have not stated it at the sign-up.',
  applications: both,
  auth: writeOwnProfile,
  uses: [read(Users), append(Users), userPool('read')],
  body: z.object({
    locale: z.optional(z.nullable(z.pipe(z.pipe(StatedLocale, orNothing), z.nullable(KnownLocale)))),
    /** Can be stated once. Without it, or below 18, a physician releases each sleep window. */
    birthYear: z.optional(z.int().check(z.minimum(1900), z.maximum(2100))),
    timezone: z.optional(z.nullable(z.pipe(z.pipe(StatedTimeZone, orNothing), z.nullable(TimeZone)))),
  }),
  response: Profile,
  errors: [ValidationFailed, UserNotFound, BirthYearStated],
});
