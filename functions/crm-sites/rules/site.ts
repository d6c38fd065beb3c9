import type { CareRelation } from '../../access/data-subject.ts';
import type { OpeningHours } from './opening-hours.ts';

/** The rules of a site: a clinic or practice, with those who work there and the patients who are with it. Pure. */

type Address = {
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  /** Two letters of ISO 3166. */
  readonly country: string;
};

/** What administrators say of a site. */
export type Described = {
  readonly name: string;
  readonly address: Address | null;
  readonly phone: string | null;
  /** IANA's name. */
  readonly timezone: string;
  /** Null if not given. Domains that compute with hours then use the usual ones. */
  readonly openingHours: OpeningHours | null;
  /** Dates on which it is closed; null: not said. */
  readonly holidays: string[] | null;
};

export const optionalFieldDefaults = { address: null, phone: null, openingHours: null, holidays: null } as const;

export type Site = Described & {
  readonly siteId: string;
  /** Neither patients nor staff come to a closed one. A site with patients or staff is closed, never deleted. */
  readonly status: 'open' | 'closed';
  /** What a patient types to be with the site; it is this site's until it is renewed. */
  readonly code: string;
  readonly createdAt: string;
  /** Counts the changes, from 1. */
  readonly revision: number;
};

export type SiteKey = {
  readonly kind: 'site' | 'code' | 'name' | 'postal-code' | 'deleted';
  readonly siteKey: string;
};
/** The first sites have no more than a name and a zone. */
export type SiteRow = SiteKey & Omit<Site, keyof typeof optionalFieldDefaults> & Partial<Site>;
/** What is left of a deleted site. */
export type SiteSummary = Pick<Site, 'siteId' | 'name' | 'timezone'>;
export type SitesRow = SiteRow | (SiteKey & (SiteSummary | Pick<Site, 'siteId'>));

export const mostSites = 20;

/** What a patient asks for: to be with the site whose code it is; with this very site, where the patient names one. */
export type Wish = { readonly siteId: string | null; readonly code: string };

export type Seen = {
  /** That the patient named, or else whose code it is. */
  readonly site: Site | null;
  readonly relations: readonly CareRelation[];
  readonly isLocked: boolean;
};

export type Decision =
  | { readonly kind: 'known'; readonly site: Site; readonly relation: CareRelation }
  | { readonly kind: 'join'; readonly site: Site }
  | { readonly kind: 'locked' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'full' };

/** The changed fields; fields that are left out stay. */
export type SiteChanges = {
  readonly [F in keyof Described | 'status']?: (Described & Pick<Site, 'status'>)[F] | undefined;
};

/** @returns the same object where nothing changes */
export function changedSite(site: Site, changes: SiteChanges): Site {
  const said = Object.entries(changes).filter(([, value]) => value !== undefined);
  const isNew = ([field, value]: [string, unknown]) =>
    JSON.stringify(site[field as keyof Site]) !== JSON.stringify(value);
  return said.some(isNew) ? { ...site, ...Object.fromEntries(said), revision: site.revision + 1 } : site;
}

/** The part of a site that an audit event has. The code is left out, because anybody who reads it could join. */
export function auditedSite({ name, address, phone, timezone, openingHours, holidays, status }: Site) {
  return { name, address, phone, timezone, openingHours, holidays, status };
}

/** Who is with the site already needs no code: a repetition is answered as the first request was, whatever became of the code. */
export function decideJoin({ siteId, code }: Wish, { site, relations, isLocked }: Seen): Decision {
  const relation = site && relations.find((each) => each.siteId === site.siteId);
  if (site && relation && (siteId !== null || site.code === code)) return { kind: 'known', site, relation };
  if (isLocked) return { kind: 'locked' };
  if (site?.status !== 'open' || site.code !== code) return { kind: 'wrong' };
  return relations.length >= mostSites ? { kind: 'full' } : { kind: 'join', site };
}
