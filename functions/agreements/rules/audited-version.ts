/** The parts of a version that audit events have. Pure. */

type Version = {
  versionId: string;
  agreementId: string;
  label: string;
  changeType: string;
  defaultLocale: string;
  locales: Readonly<Record<string, { contentHash: string }>>;
};

export function named({ versionId }: Pick<Version, 'versionId'>): string {
  return `agreement-version/${versionId}`;
}

/** Only the hashes of the texts, to keep events small. The row has the rest and never changes. */
export function declared({ agreementId, label, changeType, defaultLocale, locales }: Version) {
  const hashes = Object.entries(locales).map(([locale, { contentHash }]) => [locale, contentHash]);
  return { agreementId, label, changeType, defaultLocale, contentHashes: Object.fromEntries(hashes) };
}

type Times = { publishedAt: string | null; effectiveFrom: string | null; withdrawnAt: string | null };

export function times({ publishedAt, effectiveFrom, withdrawnAt }: Times) {
  return { publishedAt, effectiveFrom, withdrawnAt };
}
