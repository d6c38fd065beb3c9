import type { ConsentState } from '../../access/consent-states.ts';
import { type AgreementWithVersions, activeVersion, type Version } from '../../agreements/rules.ts';
import { type Change, decideAgreement, type Shown } from './consent.ts';

/** Consents to several versions at once: each follows the rules of a single consent, and all are written or none. */

export type ShownVersion = { agreementId: string; activeVersionId: string | null; shown: Shown };

/** The requested versions, or the ids that the catalogue does not have. */
export type CheckedVersions = { missing: string[]; wanted: ShownVersion[] };

/** @param shownOf returns what the user was shown of a version */
export function findWanted(
  catalogue: readonly AgreementWithVersions[],
  versionIds: readonly string[],
  now: string,
  shownOf: (version: Version) => Shown,
): CheckedVersions {
  const missing: string[] = [];
  const wanted: ShownVersion[] = [];
  for (const versionId of versionIds) {
    const entry = catalogue.find(({ versions }) => versions.some((version) => version.versionId === versionId));
    const version = entry?.versions.find((each) => each.versionId === versionId);
    if (!entry || !version) {
      missing.push(versionId);
      continue;
    }
    const activeVersionId = activeVersion(entry.versions, now)?.versionId ?? null;
    wanted.push({ agreementId: entry.agreement.agreementId, activeVersionId, shown: shownOf(version) });
  }
  return { missing, wanted };
}

/** For one agreement: the user has agreed since that time, or a record has to be written. */
export type Step = { agreementId: string; versionId: string } & (
  | { outcome: 'unchanged'; at: string }
  | { outcome: 'change'; change: Change }
);

export type Decided = { outcome: 'refused'; refused: ShownVersion } | { outcome: 'agreed'; steps: Step[] };

/**
 * A version that is not active is refused, unless the user already agrees to it: a repeated call may arrive after the
 * version was superseded. If the request has both this version and another one of the same agreement, it is refused in
 * any case, because only one of the two can be in force.
 */
export function decideSeveral(
  wanted: readonly ShownVersion[],
  { states, ends }: { states: ReadonlyMap<string, ConsentState>; ends: readonly string[] },
): Decided {
  const steps: Step[] = [];
  for (const each of wanted) {
    const { agreementId, activeVersionId, shown } = each;
    const { versionId } = shown;
    const decision = decideAgreement(states.get(agreementId) ?? null, shown, ends);
    const isActive = versionId === activeVersionId;
    const isAlone = wanted.filter((other) => other.agreementId === agreementId).length === 1;
    if (!isActive && (decision.outcome === 'change' || !isAlone)) return { outcome: 'refused', refused: each };
    if (decision.outcome === 'change') steps.push({ agreementId, versionId, ...decision });
    else if (decision.at !== null) steps.push({ agreementId, versionId, outcome: 'unchanged', at: decision.at });
  }
  return { outcome: 'agreed', steps };
}
