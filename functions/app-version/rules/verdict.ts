import type { Platform, Policy } from './policy.ts';
import { rolloutPlace } from './rollout.ts';
import { compareAppVersions, releaseName } from './version-order.ts';

/** The answer to an app at its start (decision 10): pure, from the policy, what the app states, and the time. */

/** What an app states; null is all that it leaves out or that cannot be read. */
export type App = {
  platform: Platform | null;
  appVersion: string | null;
  buildNumber: string | null;
  deviceId: string | null;
};

const normal = { updateRequired: false, forceBlocked: false, outcome: 'normal' } as const;
const recommended = { updateRequired: true, forceBlocked: false, outcome: 'recommended' } as const;
const blocked = { updateRequired: true, forceBlocked: true, outcome: 'blocked' } as const;
/** Blocked, and no update helps. */
const closed = { updateRequired: false, forceBlocked: true, outcome: 'blocked' } as const;

/** Each reason with its row of the table in decision 10, and which of the policy's texts goes with it. */
const verdicts = {
  UP_TO_DATE: { ...normal, text: null },
  VERSION_NOT_STATED: { ...normal, text: null },
  POLICY_UNAVAILABLE: { ...normal, text: null },
  BELOW_RECOMMENDED: { ...recommended, text: 'recommended' },
  BELOW_MINIMUM: { ...blocked, text: 'blocked' },
  BUILD_BLOCKED: { ...blocked, text: 'blocked' },
  MANDATORY_SKIPPED: { ...blocked, text: 'blocked' },
  MAINTENANCE: { ...closed, text: 'maintenance' },
} as const;

export type Reason = keyof typeof verdicts;
export type Verdict = { reason: Reason } & (typeof verdicts)[Reason];

/**
 * @param policy null where none is known
 * @param now ISO 8601 in UTC with milliseconds, which compares as text
 */
export function evaluate(policy: Policy | null, app: App, now: string): Verdict {
  const reason = reasonFor(policy, app, now);
  return { reason, ...verdicts[reason] };
}

/** The first that holds. Whatever is not known speaks for the app: guessing wrong locks people out of a working one. */
function reasonFor(policy: Policy | null, app: App, now: string): Reason {
  if (app.platform === null) return 'VERSION_NOT_STATED';
  if (!policy) return 'POLICY_UNAVAILABLE';
  // Before the version is looked at: no version works while the service is closed.
  if (isClosed(policy, now)) return 'MAINTENANCE';
  const { appVersion } = app;
  if (appVersion === null) return 'VERSION_NOT_STATED';
  const isBelow = (version: string) => compareAppVersions(appVersion, version) < 0;

  if (isBlockedBuild(policy, appVersion, app.buildNumber)) return 'BUILD_BLOCKED';
  if (isBelow(policy.minimumVersion)) return 'BELOW_MINIMUM';
  // Who has no newer version on offer yet can have skipped none.
  if (!isBelow(policy.recommendedVersion) || !isInRollout(policy, app.deviceId)) return 'UP_TO_DATE';
  const isSkipped = (release: string) =>
    isBelow(release) && compareAppVersions(release, policy.recommendedVersion) <= 0;
  return policy.mandatoryReleases.some(isSkipped) ? 'MANDATORY_SKIPPED' : 'BELOW_RECOMMENDED';
}

function isClosed({ maintenance }: Policy, now: string): boolean {
  if (!maintenance || now < maintenance.from) return false;
  return maintenance.until === null || now < maintenance.until;
}

function isBlockedBuild({ blockedBuilds }: Policy, appVersion: string, buildNumber: string | null): boolean {
  return blockedBuilds.some(
    (build) =>
      compareAppVersions(build.version, appVersion) === 0 &&
      (build.buildNumber === null || build.buildNumber === buildNumber),
  );
}

/**
 * A device's place in the rollout of a release is a number from 0 to 100 that never changes and is another one for the
 * next release. A device without an id has the last place.
 */
export function isInRollout(policy: Policy, deviceId: string | null): boolean {
  const { rolloutPercentage, recommendedVersion } = policy;
  if (deviceId === null) return rolloutPercentage >= 100;
  return rolloutPlace(deviceId, releaseName(recommendedVersion)) < rolloutPercentage;
}
