/** The rules of a site: a clinic or practice, with those who work there and the patients who are with it. Pure. */

export type Site = {
  readonly siteId: string;
  readonly name: string;
  /** IANA's name. */
  readonly timezone: string;
  /** Nobody joins a closed one. A site with patients or staff is closed, never deleted. */
  readonly status: 'open' | 'closed';
  /** What a patient types to be with the site; it is this site's until it is renewed. */
  readonly code: string;
  readonly createdAt: string;
  /** Counts the changes, from 1. */
  readonly revision: number;
};

/** A patient is with a site, by the patient's own doing. */
export type Relation = { readonly userId: string; readonly siteId: string; readonly since: string };

/** Somebody works at a site. */
export type Post = Relation;

export const mostSites = 20;

/** What a patient asks for: to be with the site whose code it is; with this very site, where the patient names one. */
export type Wish = { readonly siteId: string | null; readonly code: string };

export type Seen = {
  /** That the patient named, or else whose code it is. */
  readonly site: Site | null;
  readonly relations: readonly Relation[];
  readonly isLocked: boolean;
};

export type Decision =
  | { readonly kind: 'known'; readonly site: Site; readonly relation: Relation }
  | { readonly kind: 'join'; readonly site: Site }
  | { readonly kind: 'locked' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'full' };

/** Who is with the site already needs no code: a repetition is answered as the first request was, whatever became of the code. */
export function decideJoin({ siteId, code }: Wish, { site, relations, isLocked }: Seen): Decision {
  const relation = site && relations.find((each) => each.siteId === site.siteId);
  if (site && relation && (siteId !== null || site.code === code)) return { kind: 'known', site, relation };
  if (isLocked) return { kind: 'locked' };
  if (site?.status !== 'open' || site.code !== code) return { kind: 'wrong' };
  return relations.length >= mostSites ? { kind: 'full' } : { kind: 'join', site };
}
