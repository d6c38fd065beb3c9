import { createHash } from 'node:crypto';
import type { ConsentState } from '../../access/consent-states.ts';
import {
  type AgreementWithVersions,
  activeVersion,
  inCatalogueOrder,
  isReconsentRequired,
  type Version,
} from '../../agreements/rules.ts';
import { consentOf } from './consent.ts';

/** The agreement list as one user sees it: pure, from the catalogue and the user's states. */

/**
 * @param ends of the account
 * @param language chooses one of a version's `locales` for the user
 */
export function agreementItems(
  catalogue: readonly AgreementWithVersions[],
  { states, ends }: { states: ReadonlyMap<string, ConsentState>; ends: readonly string[] },
  now: string,
  language: (version: Version) => string,
) {
  const ordered = [...catalogue].sort((a, b) => inCatalogueOrder(a.agreement, b.agreement));
  return ordered.flatMap((entry) => {
    const state = states.get(entry.agreement.agreementId) ?? null;
    const item = agreementItem(entry, { state, ends }, now, language);
    return item ? [item] : [];
  });
}

/** Null for an agreement without an active version and without a record of the user. */
function agreementItem(
  { agreement, versions }: AgreementWithVersions,
  { state, ends }: { state: ConsentState | null; ends: readonly string[] },
  now: string,
  language: (version: Version) => string,
) {
  const active = activeVersion(versions, now);
  // An agreement with a record of the user stays on the list, even if it has no active version any more.
  const version = active ?? versions.find(({ versionId }) => versionId === state?.versionId);
  if (!version?.effectiveFrom) return null;
  const locale = language(version);
  const content = version.locales[locale];
  if (!content) return null;
  const consent = consentOf(state, ends);
  return {
    agreementId: agreement.agreementId,
    position: agreement.position,
    versionId: version.versionId,
    isRequired: agreement.isRequired,
    isAgreeable: active !== null,
    ...content,
    locale,
    effectiveFrom: version.effectiveFrom,
    ...consent,
    reconsentRequired: consent.agreedVersionId !== null && isReconsentRequired(versions, consent.agreedVersionId, now),
  };
}

type ShownPage = {
  readonly userId: string;
  readonly limit: number;
  readonly items: readonly ({ readonly position: number } & Readonly<Record<string, unknown>>)[];
  readonly hasMore: boolean;
};

/**
 * The ETag of a page. Weak, since the cursor to the next page is different each time. It depends on the user, so a page
 * that another user left on the phone does not match. It ignores the position, since no answer has it.
 */
export function etagOfPage({ items, ...page }: ShownPage): string {
  const said = { ...page, items: items.map(({ position: _, ...item }) => item) };
  return `W/"${createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)}"`;
}
