import type { Account } from '../../../lib/contract/accounts.ts';
import type { TransactItem } from '../../../lib/runtime/rows.ts';
import { type ConsentStates, isConsenting } from '../../access/consent-states.ts';
import { readState } from '../../consents/exports.ts';
import { makeRelation, readOwnRelations, readSite } from '../../crm-sites/exports.ts';
import { mostSites } from '../../crm-sites/rules.ts';
import type { CareRelations, Sites } from '../../crm-sites/tables.ts';
import { dataSharing } from '../../product.ts';

/** What a redemption writes so that the code's site looks after the user, and what the user has yet to agree to for that. */
type SiteShare = { readonly items: readonly TransactItem[]; readonly missingAgreementId: string | null };

export type ShareWithSite = (wanted: { userId: string; siteId: string; now: Date }) => Promise<SiteShare | null>;

type Dependencies = {
  readonly tables: Parameters<typeof makeRelation>[0] & {
    readonly CareRelations: CareRelations<'query'>;
    readonly Sites: Sites<'get'>;
    readonly ConsentStates: ConsentStates<'get'>;
  };
  readonly account: () => Promise<Account>;
};

/** Null if the site is closed, or the user has joined the maximum number of sites. For a user who already belongs to the site nothing is written. */
export function sharingAt({ tables, account }: Dependencies): ShareWithSite {
  return async ({ userId, siteId, now }) => {
    const [site, relations, state, { ends }] = await Promise.all([
      readSite(tables.Sites, siteId),
      readOwnRelations(tables.CareRelations, userId),
      readState(tables.ConsentStates, { userId, agreementId: dataSharing }),
      account(),
    ]);
    const missingAgreementId = isConsenting(state, ends) ? null : dataSharing;
    if (relations.some((relation) => relation.siteId === siteId)) return { items: [], missingAgreementId };
    if (site?.status !== 'open' || relations.length >= mostSites) return null;
    return { items: makeRelation(tables, { userId, siteId, since: now.toISOString() }), missingAgreementId };
  };
}
