import type { Role } from '../../lib/contract/register.ts';
import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';

/**
 * Who may look at another person's data. A route about another person declares whom it is about and why the caller may
 * look. The check, the entry in the person's access log and the grants are derived from that. The tables are declared here,
 * since functions of all domains read them.
 */

/**
 * Staff, by `part`: `profile` has the name that patients see; `site#<siteId>` exists while the person works at that site.
 * Written by the domain `crm-sites`.
 */
export const Staff = table<StaffProfile | (Post & { readonly part: string })>()('Staff', {
  partitionKey: 'userId',
  sortKey: 'part',
});
export type Staff<A extends Action> = Handle<typeof Staff, A>;

export type StaffProfile = { readonly userId: string; readonly part: string; readonly name: string };
/** Somebody works at a site. */
export type Post = Omit<CareRelation, 'isMain'>;

/** The sites that a patient is with; the patient chooses them. Written by the domain `crm-sites`. */
export const CareRelations = table<CareRelation>()('CareRelations', { partitionKey: 'userId', sortKey: 'siteId' });
export type CareRelations<A extends Action> = Handle<typeof CareRelations, A>;

/** A patient is with a site, by the patient's own doing. */
export type CareRelation = {
  readonly userId: string;
  readonly siteId: string;
  readonly since: string;
  /** The patient's main site, by the patient's choice: of one relation at most, and absent in the others. */
  readonly isMain?: true;
};

/** Who looked at a person's data: a row for each look, under the person's `userId`. Owned by the domain `access-log`. */
export const AccessLog = table<AccessLogEntry>()('AccessLog', {
  partitionKey: 'userId',
  sortKey: 'lookId',
  // Each row is put with its expiry, so nobody ever updates one.
  ledger: {
    attributes: [
      ...['userId', 'lookId', 'at', 'by', 'name', 'roles', 'siteId', 'relation', 'action'],
      ...['agreementId', 'consentRecordId', 'requestId', 'expiresAt'],
    ],
  },
  stream: true,
  expires: true,
});
export type AccessLog<A extends Action> = Handle<typeof AccessLog, A>;

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

/**
 * `care`: the caller works at a site that the patient is with. `support`: each row is of a ticket that the patient opened.
 * `safety`: the caller has the route's `role`. The last two need no consent.
 */
type Relation = 'care' | 'support' | 'safety';

/** The person whom the answer is about: a parameter of the path names the person, or this field in each of the answer's rows does. */
type Param = { readonly param: string; readonly each?: never };
type Each = { readonly each: string; readonly param?: never };

/** Callers with one of these roles need no relation. Their looks are logged, too. */
type Exempt = { readonly exempt?: { readonly roles: readonly Role[]; readonly because: string } };

export type DataSubject =
  /**
   * A caller without the relation gets the parameter's 404; without the consent, 403 `CONSENT_REQUIRED`. A route that needs
   * a consent has no exempt callers.
   */
  | (Param & { readonly relation: 'care'; readonly consent: string; readonly exempt?: never })
  | (Param & Exempt & { readonly relation: 'care'; readonly consent?: never })
  /** The handler lists the patients of the caller's own sites. For patients who do not consent, only these fields are shown. */
  | (Each & { readonly relation: 'care'; readonly consent: string; readonly withoutConsent: readonly string[] })
  | (Each & { readonly relation: 'support' })
  | ((Param | Each) & { readonly relation: 'safety'; readonly role: Role })
  /** The route requires no relation, for this reason; each look is logged. */
  | ((Param | Each) & { readonly relation?: never; readonly exception: string });

/** The agreement that the person must consent to before callers of the route may look; null if the route needs none. */
export function consentNeeded(dataSubject: DataSubject | undefined): string | null {
  return (dataSubject && 'consent' in dataSubject && dataSubject.consent) || null;
}

/** One look at one person's data, as it is stored. */
export type AccessLogEntry = {
  /** Whose data was looked at. */
  readonly userId: string;
  /** Sorts by time: `<at>.<random>`. */
  readonly lookId: string;
  /** Real time. */
  readonly at: string;
  /** The `userId` of the person who looked, and the name that the site had for that person then. */
  readonly by: string;
  readonly name: string | null;
  readonly roles: readonly string[];
  /** The site that the caller and the patient have in common. */
  readonly siteId: string | null;
  /** Null where the look needs no relation: an exception. */
  readonly relation: Relation | null;
  /** The route: `GET /crm/patients/{userId}`. */
  readonly action: string;
  /** The consent that the look depended on. Both are null if it needed none, or if it only showed that the patient is with the site. */
  readonly agreementId: string | null;
  readonly consentRecordId: string | null;
  readonly requestId: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
};

/** What a look's id begins with: it sorts by time. */
export function lookIdAt(at: string): string {
  return `${at.replace(/[-:]/g, '')}.`;
}

const lookYears = 3;

/** The day three years later, in seconds since 1970. */
export function lookExpiry(at: Date): number {
  const date = new Date(at);
  date.setUTCFullYear(date.getUTCFullYear() + lookYears);
  return Math.floor(date.getTime() / 1000);
}
