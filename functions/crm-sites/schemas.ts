import * as z from 'zod/mini';
import { CalendarDate, combined, Id, Timestamp, TimeZone, visibleLine, wellFormed } from '../../lib/contract/fields.ts';
import { append, check, get, read, replace } from '../../lib/contract/uses.ts';
import { ShownName } from '../crm-users/schemas.ts';
import { CareRelations, SitePatients, Sites } from './tables.ts';

/** What a route declares that puts a patient with a site (`makeRelation`). */
export const relationUses = [
  read(CareRelations),
  append(CareRelations),
  append(SitePatients),
  get(Sites),
  check(Sites),
] as const;

/** What a route declares that ends a relation. */
export const endingUses = [read(CareRelations), replace(CareRelations), replace(SitePatients)] as const;

/** How a postal code begins. */
export const SearchPostalCode = z.string().check(z.maxLength(16));

const AddressLine = z.string().check(
  z.overwrite((given) => given.trim()),
  z.maxLength(200),
  wellFormed,
  visibleLine,
);

export const SiteAddress = z.object({
  street: AddressLine,
  postalCode: z
    .string()
    .check(
      z.maxLength(16),
      z.regex(
        /^[A-Za-z0-9]([A-Za-z0-9 -]*[A-Za-z0-9])?$/,
        'must be letters and digits, with spaces or hyphens between',
      ),
    ),
  city: AddressLine,
  /** ISO 3166. */
  country: z.string().check(z.regex(/^[A-Z]{2}$/, 'must be two letters such as DE')),
});

const Phone = z
  .string()
  .check(
    z.maxLength(32),
    z.regex(/^\+[1-9][0-9]([ ()/-]{0,2}[0-9])+$/, 'must be an international number such as +49 30 1234567'),
  );

/** `24:00` is the end of a day. */
const ClockTime = z.string().check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 09:30'));

export const SiteHours = z.object({ from: ClockTime, to: ClockTime });

const OpenHours = z
  .array(SiteHours)
  .check(
    z.maxLength(6),
    z.refine(areInOrder, { error: 'must be one after the other, without an overlap', abort: true }),
  );

/** On the clock on the site's wall. A day without hours is closed. */
export const SiteOpeningHours = z
  .object({
    monday: OpenHours,
    tuesday: OpenHours,
    wednesday: OpenHours,
    thursday: OpenHours,
    friday: OpenHours,
    saturday: OpenHours,
    sunday: OpenHours,
  })
  .check(z.refine(isEverOpen, 'must have an open hour'));

const Holidays = z.array(CalendarDate).check(z.maxLength(100));

const described = {
  address: z.optional(z.nullable(SiteAddress)),
  phone: z.optional(z.nullable(Phone)),
  /** Null: not said. Due times of tickets go by usual hours then. */
  openingHours: z.optional(z.nullable(SiteOpeningHours)),
  /** Dates on which it is closed; null: not said. */
  holidays: z.optional(z.nullable(Holidays)),
};

export const NewSite = z.object(combined({ name: ShownName, timezone: TimeZone }, described));

export const SiteChange = z.object(
  combined(
    { name: z.optional(ShownName), timezone: z.optional(TimeZone), status: z.optional(z.enum(['open', 'closed'])) },
    described,
  ),
);

export const Site = z.object({
  siteId: Id,
  name: z.string(),
  address: z.nullable(SiteAddress),
  phone: z.nullable(z.string()),
  /** An IANA time zone. */
  timezone: z.string(),
  openingHours: z.nullable(SiteOpeningHours),
  holidays: z.nullable(z.array(z.string())),
  /** Neither patients nor staff come to a closed site. */
  status: z.enum(['open', 'closed']),
  /** What a patient types to be with the site. */
  code: z.string(),
  createdAt: Timestamp,
});

export const OwnSite = z.object({
  siteId: Id,
  name: z.string(),
  /** An IANA time zone. */
  timezone: z.string(),
  /** Since when the caller is with the site. */
  since: Timestamp,
  /** The caller's main site, by the caller's choice: one at most. */
  main: z.boolean(),
});

export const JoinedSite = z.extend(OwnSite, {
  /** The agreement without which the site's staff see only that the caller is with them; null where the caller agreed to it. */
  missingAgreementId: z.nullable(Id),
});

type Hours = { readonly from: string; readonly to: string };

/** One after the other, without an overlap. */
export function areInOrder(hours: readonly Hours[]): boolean {
  const edges = hours.flatMap(({ from, to }) => [from, to]);
  return hours.every(({ from, to }) => from < to) && edges.every((edge, index) => edge >= (edges[index - 1] ?? ''));
}

/** Nothing would ever be due at a site that is never open. */
export function isEverOpen(week: Readonly<Record<string, readonly Hours[]>>): boolean {
  return Object.values(week).some((hours) => hours.length > 0);
}
