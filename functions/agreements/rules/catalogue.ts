/**
 * The catalogue's rules (decision 24): which version is active, and whether a new consent is needed. Pure: times
 * are ISO 8601 in UTC with milliseconds, which compare as text.
 */

export type LocalisedContent = { title: string; contentUrl: string; contentHash: string };

/** Where the exact text of a published version is stored, under a legal hold. */
export type StoredContent = { key: string; objectVersionId: string; contentType: string };

export type Agreement = {
  agreementId: string;
  application: string;
  title: string;
  isRequired: boolean;
  position: number;
};

export type Version = {
  versionId: string;
  agreementId: string;
  label: string;
  changeType: 'major' | 'minor';
  defaultLocale: string;
  locales: Record<string, LocalisedContent>;
  /** By locale; set when the version is published. */
  contents?: Record<string, StoredContent>;
  publishedAt: string | null;
  effectiveFrom: string | null;
  withdrawnAt: string | null;
};

export type AgreementWithVersions = { agreement: Agreement; versions: Version[] };

export type VersionStatus = 'draft' | 'scheduled' | 'active' | 'superseded' | 'withdrawn';

type Published = Version & { publishedAt: string; effectiveFrom: string };

function isPublished(version: Version): version is Published {
  return version.publishedAt !== null && version.effectiveFrom !== null;
}

/** Sorts by the time of effect, then by the time of publication, then by id. So there is always exactly one last version. */
function inOrder(a: Published, b: Published): number {
  return (
    compare(a.effectiveFrom, b.effectiveFrom) ||
    compare(a.publishedAt, b.publishedAt) ||
    compare(a.versionId, b.versionId)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isWithdrawn(version: Version, now: string): boolean {
  return version.withdrawnAt !== null && version.withdrawnAt <= now;
}

/** The versions that have taken effect by `now`, oldest first, including withdrawn ones. */
function inEffect(versions: readonly Version[], now: string): Published[] {
  return versions
    .filter(isPublished)
    .filter((version) => version.effectiveFrom <= now)
    .sort(inOrder);
}

/** The published, unwithdrawn version with the latest `effectiveFrom` that is not in the future. */
export function activeVersion(versions: readonly Version[], now: string): Version | null {
  return inEffect(versions, now).findLast((version) => !isWithdrawn(version, now)) ?? null;
}

/** Computed at each read and never stored. So no job is needed to make a version active. */
export function statusOf(version: Version, versions: readonly Version[], now: string): VersionStatus {
  if (!isPublished(version)) return 'draft';
  if (isWithdrawn(version, now)) return 'withdrawn';
  if (version.effectiveFrom > now) return 'scheduled';
  return activeVersion(versions, now)?.versionId === version.versionId ? 'active' : 'superseded';
}

/**
 * True if there is a major change after the agreed version, up to and including the active version. A consent to a version that is
 * not in the catalogue counts as older than all versions.
 */
export function isReconsentRequired(versions: readonly Version[], agreedVersionId: string, now: string): boolean {
  const active = activeVersion(versions, now);
  if (!active || active.versionId === agreedVersionId) return false;
  const ordered = inEffect(versions, now);
  const place = (versionId: string) => ordered.findIndex((version) => version.versionId === versionId);
  return ordered
    .slice(place(agreedVersionId) + 1, place(active.versionId) + 1)
    .some((version) => version.changeType === 'major');
}

export type CataloguePosition = { position: number; agreementId: string };

/** Catalogue order: by position, then by id. So the order never depends on the storage. */
export function inCatalogueOrder(a: CataloguePosition, b: CataloguePosition): number {
  return a.position - b.position || compare(a.agreementId, b.agreementId);
}
