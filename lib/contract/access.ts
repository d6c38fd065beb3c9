import { Accounts } from './accounts.ts';
import { ConsentStates } from './consent-states.ts';
import type { Role } from './roles.ts';
import { table } from './tables.ts';
import { append, batch, get, read, type TableUse } from './uses.ts';

/**
 * Who may look at another person's data. A route about another person declares whom it is about and why the caller may look;
 * the check, the entry in the person's access log and the grants follow from that. The tables stand here, since functions of
 * all domains ask them.
 */

/**
 * Staff, by `part`: `profile` has the name that patients see, `site#<siteId>` is there while the person works at that site.
 * Written by the domain `crm-sites`.
 */
export const Staff = table('Staff', { partitionKey: 'userId', sortKey: 'part' });

/** The sites that a patient is with: the patient's own doing. Written by the domain `crm-sites`. */
export const CareRelations = table('CareRelations', { partitionKey: 'userId', sortKey: 'siteId' });

/** Who looked at a person's data: a row for each look, under the person's `userId`. Owned by the domain `access-log`. */
export const AccessLog = table('AccessLog', { partitionKey: 'userId', sortKey: 'lookId', expires: true });

export const staffProfile = 'profile';

const sitePrefix = 'site#';

/** The sort key of `Staff` for a site. */
export function staffPart(siteId: string): string {
  return `${sitePrefix}${siteId}`;
}

/** The site of a row of `Staff`; null for the profile. */
export function siteOfPart(part: string): string | null {
  return part.startsWith(sitePrefix) ? part.slice(sitePrefix.length) : null;
}

/** The agreement of the seed catalogue by which a patient lets the staff of the own sites see data. */
export const dataSharing = 'data-sharing';

/** Who holds it looks at flags without a care relation. */
export const safetyRole = 'clinical-safety' satisfies Role;

/**
 * `care`: the caller works at a site that the patient is with. `support`: each row is of a ticket that the patient opened.
 * `safety`: the caller has the role `clinical-safety`. The last two need no consent.
 */
export type Relation = 'care' | 'support' | 'safety';

/** Whom the answer is about: the person whom a parameter of the path names, or whom this field of the answer's rows names. */
type Param = { readonly param: string; readonly each?: never };
type Each = { readonly each: string; readonly param?: never };

/** Callers with one of these roles look without the relation, and are logged all the same. */
type Exempt = { readonly exempt?: { readonly roles: readonly Role[]; readonly because: string } };

export type About =
  /** Without the relation: the parameter's 404. Without the consent: 403 `CONSENT_REQUIRED`. Who needs a consent has no exempt callers. */
  | (Param & { readonly relation: 'care'; readonly consent: string; readonly exempt?: never })
  | (Param & Exempt & { readonly relation: 'care'; readonly consent?: never })
  /** The handler lists the patients of the caller's own sites; for patients who do not consent only these fields stay. */
  | (Each & { readonly relation: 'care'; readonly consent: string; readonly withoutConsent: readonly string[] })
  | (Each & { readonly relation: 'support' | 'safety' })
  | (Param & { readonly relation: 'safety' })
  /** No relation is asked for, for this reason; each look is logged. */
  | ((Param | Each) & { readonly relation?: never; readonly exception: string });

/** The agreement whose consent a route's callers need of the person; null where they need none. */
export function consentNeeded(about: About | undefined): string | null {
  return (about && 'consent' in about && about.consent) || null;
}

/** What the check reads and the log writes, for a route's function to be let to. */
export function usesOfAbout(about: About | undefined): TableUse[] {
  if (!about) return [];
  const asked = (): TableUse[] => {
    if (about.relation !== 'care') return [];
    if (about.each !== undefined) return [batch(ConsentStates), batch(Accounts)];
    return [read(CareRelations), get(Accounts), ...(about.consent === undefined ? [] : [get(ConsentStates)])];
  };
  return [read(Staff), append(AccessLog), ...asked()];
}

/** One look at one person's data, as it is stored. */
export type Look = {
  /** Whose data was looked at. */
  readonly userId: string;
  /** Sorts by time: `<at>.<random>`. */
  readonly lookId: string;
  /** Real time. */
  readonly at: string;
  /** The `userId` of whoever looked, and the name that the site gave then. */
  readonly by: string;
  readonly name: string | null;
  readonly roles: readonly string[];
  /** The site by which the caller and the patient belong together. */
  readonly siteId: string | null;
  /** Null where the look needs none: an exception. */
  readonly relation: Relation | null;
  /** The route: `GET /crm/patients/{userId}`. */
  readonly action: string;
  /** The consent that it rested on; both null where it needed none, or only that the patient is with the site was shown. */
  readonly agreementId: string | null;
  readonly consentRecordId: string | null;
  readonly requestId: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
};

const lookYears = 3;

/** Three years to the day: seconds since 1970. */
export function lookExpiry(at: Date): number {
  const date = new Date(at);
  date.setUTCFullYear(date.getUTCFullYear() + lookYears);
  return Math.floor(date.getTime() / 1000);
}
