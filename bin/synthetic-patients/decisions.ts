import { type AgreementWithVersions, activeVersion, type Version } from '../../functions/agreements/rules.ts';
import { addDays } from '../../functions/sleep/rules.ts';
import { type AppVersionUse, at, type Traits } from './traits.ts';

/** A person agrees or revokes. */
export type ConsentDecision = {
  readonly agreementId: string;
  readonly action: 'agreed' | 'revoked';
  /** The version that the person agrees to or revokes. */
  readonly version: Version;
  readonly locale: string;
  readonly appVersion: string;
  readonly decidedAt: string;
};

/** The share of people who agree to each optional agreement; other agreements have the last value. */
const shares: readonly (readonly [string, number])[] = [
  ['data-sharing', 0.7],
  ['marketing', 0.3],
  ['research-data', 0.8],
];
const otherShare = 0.6;
const revokedShare = 0.12;
const returnShare = 0.4;

type Use = { readonly joinedAt: string; readonly appVersions: readonly AppVersionUse[] };

export function consentDecisions(
  traits: Traits,
  agreements: readonly AgreementWithVersions[],
  use: Use,
): ConsentDecision[] {
  const found = agreements.flatMap((agreement) => decisionsOn(traits, agreement, use));
  return found.toSorted((one, other) => (one.decidedAt < other.decidedAt ? -1 : 1));
}

/** The dates of a new consent and of a revocation are drawn for each agreement, even if they are not used. */
function decisionsOn(
  { random, from, to, zone, locale: preferred }: Traits,
  { agreement, versions }: AgreementWithVersions,
  { joinedAt, appVersions }: Use,
): ConsentDecision[] {
  const { agreementId, isRequired } = agreement;
  const share = shares.find(([id]) => id === agreementId)?.[1] ?? otherShare;
  const agrees = random.chance(share) || isRequired;
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  const timeOn = (day: number) => at(addDays(from, day), random.whole(14 * 60, 21 * 60), zone);
  const revokedOn = random.whole(1, Math.max(days, 1));
  const [revokedAt, returnedAt] = [timeOn(revokedOn), timeOn(revokedOn + random.whole(1, 14))];
  const revokes = random.chance(revokedShare) && !isRequired && days > 1;
  const returns = random.chance(returnShare);
  const end = at(to, 22 * 60, zone);
  const first = activeVersion(versions, joinedAt);
  if (!agrees) return [];
  const decide = (action: 'agreed' | 'revoked', version: Version, decidedAt: string): ConsentDecision => {
    const locale = Object.hasOwn(version.locales, preferred) ? preferred : version.defaultLocale;
    const appVersion = appVersions.findLast((used) => used.from <= decidedAt)?.appVersion ?? '2.0.0';
    return { agreementId, action, version, locale, appVersion, decidedAt };
  };
  // New users agree to everything on one screen.
  const decisions = first ? [decide('agreed', first, joinedAt)] : [];
  for (const { effectiveFrom } of versions) {
    // A few days pass before the app is opened and asks for the new version.
    const seenAt = effectiveFrom && new Date(Date.parse(effectiveFrom) + random.whole(1, 9) * 43_200_000).toISOString();
    const version = seenAt && seenAt > joinedAt && seenAt < end ? activeVersion(versions, seenAt) : null;
    if (seenAt && version && random.chance(0.93)) decisions.push(decide('agreed', version, seenAt));
  }
  decisions.sort((one, other) => (one.decidedAt < other.decidedAt ? -1 : 1));
  if (revokes && revokedAt < end) {
    const before = decisions.filter(({ decidedAt }) => decidedAt < revokedAt);
    const version = before.at(-1)?.version;
    if (!version) return decisions;
    const again = returns && returnedAt < end ? activeVersion(versions, returnedAt) : null;
    const after = again ? [decide('agreed', again, returnedAt)] : [];
    return [...before, decide('revoked', version, revokedAt), ...after];
  }
  return decisions;
}
