import { randomUUID } from 'node:crypto';
import { commit } from '../../../lib/runtime/commit.ts';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import { contended } from '../../../lib/runtime/retry-on-contention.ts';
import { orderedId } from '../../agent-board/rules.ts';
import { type Entitlement, type EntitlementRow, entitlementOf, termOf } from '../rules/entitlement.ts';
import { next, type Tries } from '../rules/tries.ts';
import { countInGroup, noCode, putNewCode, replaceUnusedCode } from '../stores/code-rows.ts';
import { putHolder } from '../stores/entitlement-holders.ts';
import { putEntitlement, readEntitlement, readEntitlements } from '../stores/entitlement-rows.ts';
import { putStart } from '../stores/entitlement-starts.ts';
import { putInsurersCode } from '../stores/issued-codes.ts';
import { putTries } from '../stores/try-rows.ts';
import type { AccessCodeBatches, AccessCodes, EntitlementStarts, Entitlements, IssuedAccessCodes } from '../tables.ts';
import type { ShareWithSite } from './share-with-site.ts';
import { isUnmoved, type Locked, type Tried, type TriedCode, type TryDependencies, tryCode } from './try-code.ts';

export type RedeemDependencies = TryDependencies & {
  readonly tables: {
    readonly AccessCodes: AccessCodes<'put' | 'check'>;
    readonly AccessCodeBatches: AccessCodeBatches<'update'>;
    readonly Entitlements: Entitlements<'get' | 'query' | 'put'>;
    readonly EntitlementStarts: EntitlementStarts<'put'>;
    readonly IssuedAccessCodes: IssuedAccessCodes<'put'>;
  };
};

export type Redemption =
  | { readonly outcome: 'done'; readonly entitlement: Entitlement; readonly missingAgreementId: string | null }
  | { readonly outcome: 'unknown' | 'expired' | 'revoked' | 'redeemed' | 'site-unavailable' }
  | Locked;

type Wish = Tried & { readonly wantsToShare: boolean };
type Valid = Extract<TriedCode, { outcome: 'valid' }>;

/**
 * Redeems a code, once: the code, its group's count, the entitlement and the user's row of tries change in one transaction. Of two of
 * one code the second meets it redeemed; two of one user follow one another, so that neither is decided without the other's
 * entitlement.
 *
 * @param share makes the care relation where the user wishes it, also when the code was redeemed before
 */
export async function redeemCode(deps: RedeemDependencies, wish: Wish, share: ShareWithSite): Promise<Redemption> {
  const { userId, now } = wish;
  const entitlementId = orderedId(now.getTime(), randomUUID());
  return tryCode<Redemption>(deps, wish, async (found, tries) => {
    if (found.outcome === 'valid') return redeem(deps, { ...wish, entitlementId, share }, found, tries);
    const asked = found.outcome === 'redeemed' ? found.entitlementId : null;
    const own = asked && (await readEntitlement(deps.tables, { userId, entitlementId: asked, now }));
    if (!(await isUnmoved(deps, userId, tries))) return contended;
    if (!own) return { outcome: found.outcome };
    const siteId = found.outcome === 'redeemed' ? found.siteId : null;
    const isCurrent = own.status !== 'ended';
    const shared =
      wish.wantsToShare && isCurrent && siteId !== null ? await share({ userId, siteId, now }) : nothingShared;
    if (!shared) return { outcome: 'site-unavailable' };
    const isShared = shared.items.length === 0 || (await commit([...shared.items]));
    return isShared ? { outcome: 'done', entitlement: own, missingAgreementId: shared.missingAgreementId } : contended;
  });
}

async function redeem(
  deps: RedeemDependencies,
  { userId, now, wantsToShare, entitlementId, share }: Wish & { entitlementId: string; share: ShareWithSite },
  { row, grants, sealed, otherIds }: Valid,
  tries: Tries | null,
): Promise<Redemption | typeof contended> {
  const { tables } = deps;
  const { siteId, programmeId } = grants;
  const shared = wantsToShare && siteId !== null ? await share({ userId, siteId, now }) : nothingShared;
  if (!shared) return (await isUnmoved(deps, userId, tries)) ? { outcome: 'site-unavailable' } : contended;
  const others = await readEntitlements(tables, { userId, now });
  const { accessCodeId, batchId, part } = row;
  const redeemedAt = now.toISOString();
  const entitlement: EntitlementRow = {
    ...{ userId, entitlementId, programmeId },
    ...termOf(grants, others, now),
    ...{ redeemedAt, accessCodeId, batchId, part },
  };
  const used = { ...row, redeemedAt, entitlementId };
  const items = [
    ...(batchId && part
      ? [
          replaceUnusedCode(tables.AccessCodes, used),
          countInGroup(tables.AccessCodeBatches, { batchId, part }, 'redeemed'),
          putHolder(tables.EntitlementStarts, { batchId, part }, entitlement),
        ]
      : [putNewCode(tables.AccessCodes, used), ...noCode(tables.AccessCodes, otherIds)]),
    ...(sealed === null
      ? []
      : [putInsurersCode(tables.IssuedAccessCodes, { accessCodeId, sealed, realNow: new Date() })]),
    putEntitlement(tables.Entitlements, entitlement),
    putStart(tables.EntitlementStarts, entitlement),
    putTries(tables.AccessCodeTries, next(userId, tries, 'redeemed', new Date()), tries),
    ...shared.items,
  ];
  const { missingAgreementId } = shared;
  try {
    if (!(await commit(items))) return contended;
  } catch (error) {
    // A lost answer is not a lost write: the entitlement itself tells.
    if (!isUnavailable(error) || !(await readEntitlement(tables, { userId, entitlementId, now }))) throw error;
  }
  return { outcome: 'done', entitlement: entitlementOf(entitlement, now), missingAgreementId };
}

const nothingShared = { items: [], missingAgreementId: null };
