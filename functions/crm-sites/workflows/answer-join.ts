import type { Account } from '../../../lib/contract/accounts.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import type { ConsentStates } from '../../access/consent-states.ts';
import { isConsenting } from '../../access/consent-states.ts';
import { readState } from '../../consents/exports.ts';
import { dataSharing } from '../../product.ts';
import { SiteCodeLocked, SiteLimitReached, SiteNotFound } from '../errors.ts';
import type { Wish } from '../rules/site.ts';
import { type Joined, joinSite } from './relations.ts';

/** What both routes do by which a patient comes to a site. */

const failures = { locked: SiteCodeLocked, wrong: SiteNotFound, full: SiteLimitReached } as const;

type JoinRequest = {
  readonly caller: { readonly userId: string };
  readonly account: () => Promise<Account>;
  readonly now: Date;
  readonly tables: Parameters<typeof joinSite>[0] & { readonly ConsentStates: ConsentStates<'get'> };
};

export async function join({ caller: { userId }, account, now, tables }: JoinRequest, wish: Wish) {
  const [joined, state, { ends }] = await Promise.all([
    joinSite(tables, { ...wish, userId, now, realNow: new Date() }),
    readState(tables.ConsentStates, { userId, agreementId: dataSharing }),
    account(),
  ]);
  if (isRefused(joined)) return new Failure(failures[joined]);
  const { siteId, name, timezone } = joined.site;
  return {
    siteId,
    name,
    timezone,
    since: joined.relation.since,
    main: joined.relation.isMain === true,
    missingAgreementId: isConsenting(state, ends) ? null : dataSharing,
  };
}

function isRefused(joined: Joined): joined is keyof typeof failures {
  return typeof joined === 'string';
}
