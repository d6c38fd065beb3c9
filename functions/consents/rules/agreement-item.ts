import { createHash } from 'node:crypto';
import {
  type AgreementWithVersions,
  activeVersion,
  inCatalogueOrder,
  isReconsentRequired,
  type Version,
} from '../../agreements/rules/catalogue.ts';
import { type ConsentState, consentOf } from './consent.ts';

/** The agreement list as one user sees it: pure, from the catalogue and the user's states. */

/**
 * @param ends of the account
 * @param language the language of `locales` that the user reads a version in
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

/** Null for an agreement that has no active version and that the user never had to do with. */
function agreementItem(
  { agreement, versions }: AgreementWithVersions,
  { state, ends }: { state: ConsentState | null; ends: readonly string[] },
  now: string,
  language: (version: Version) => string,
) {
  const active = activeVersion(versions, now);
  // What the user last had to do with stays on the list when there is nothing to agree to any more.
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
 * Of what a page says. Weak, since the cursor to the next one is written anew each time; it is the user's own, so that a
 * page which another one left on the phone is not taken for this one's. The position is in no answer.
 */
export function etagOfPage({ items, ...page }: ShownPage): string {
  const said = { ...page, items: items.map(({ position: _, ...item }) => item) };
  return `W/"${createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)}"`;
}
