import type { Item } from '../stores/code-rows.ts';

/** What a redemption writes so that the code's site looks after the user, and what the user has yet to agree to for that. */
export type SiteShare = { readonly items: readonly Item[]; readonly missingAgreementId: string | null };

export type ShareWithSite = (wanted: { userId: string; siteId: string; now: Date }) => Promise<SiteShare | null>;

/**
 * THE SEAM to the care relations of sites, which no domain makes yet. Until one does, nothing is shared and nothing pretends to
 * be: null, which is answered with `ACCESS_CODE_SITE_UNAVAILABLE`, and the code stays as it was.
 */
export const shareWithSite: ShareWithSite = async () => null;
