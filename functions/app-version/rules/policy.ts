import type { Application } from '../../../lib/contract/register.ts';
import { compareAppVersions } from './version-order.ts';

/** What an application's product managers decide for one platform (decision 10), and when it contradicts itself. */

export type Platform = 'ios' | 'android';

type Text = { title: string; message: string };
/** By BCP 47 tag. */
export type Texts = Record<string, Text>;

export type Policy = {
  /** What the store has. */
  latestVersion: string;
  /** Older apps are asked to update, and may continue. */
  recommendedVersion: string;
  /** Older apps are blocked. */
  minimumVersion: string;
  /** Single bad builds; without a number every build of the version. */
  blockedBuilds: { version: string; buildNumber: string | null }[];
  /** Releases that no app may skip: older apps are blocked as soon as one of these is on offer to them. */
  mandatoryReleases: string[];
  /** Of 100: to how many devices the recommended version is on offer yet. */
  rolloutPercentage: number;
  /** From `from` until before `until`, or until further notice. */
  maintenance: { from: string; until: string | null } | null;
  storeUrl: string;
  defaultLocale: string;
  texts: { recommended: Texts; blocked: Texts; maintenance: Texts };
};

/** A policy as it is kept: `revision` counts its changes, from 1. */
export type StoredPolicy = Policy & {
  application: Application;
  platform: Platform;
  revision: number;
  updatedAt: string;
  updatedBy: string;
};

/** `changeId`: new for each change. */
export type PolicyRow = StoredPolicy & { changeId: string };

export type Problem = { path: string; message: string };

/** What no schema says: fields that are each of a good form and contradict each other. */
export function problemsOf(policy: Policy): Problem[] {
  const {
    minimumVersion,
    recommendedVersion,
    latestVersion,
    mandatoryReleases,
    blockedBuilds,
    maintenance,
    defaultLocale,
  } = policy;
  const newer = (one: string, other: string) => compareAppVersions(one, other) > 0;
  const problems: (Problem | false)[] = [
    newer(minimumVersion, recommendedVersion) && {
      path: 'minimumVersion',
      message: 'must not be newer than recommendedVersion',
    },
    newer(recommendedVersion, latestVersion) && {
      path: 'recommendedVersion',
      message: 'must not be newer than latestVersion',
    },
    ...mandatoryReleases.map(
      (release, index) =>
        newer(release, latestVersion) && {
          path: `mandatoryReleases[${index}]`,
          message: 'must not be newer than latestVersion',
        },
    ),
    ...blockedBuilds.map(
      ({ version, buildNumber }, index) =>
        buildNumber === null &&
        [recommendedVersion, latestVersion].some((offered) => compareAppVersions(version, offered) === 0) && {
          path: `blockedBuilds[${index}]`,
          message: 'must not block all builds of a version that apps are asked to install',
        },
    ),
    maintenance?.until != null &&
      maintenance.until <= maintenance.from && { path: 'maintenance.until', message: 'must be later than from' },
    ...Object.entries(policy.texts).map(
      ([kind, texts]) =>
        !Object.hasOwn(texts, defaultLocale) && {
          path: `texts.${kind}`,
          message: 'must have a text in the defaultLocale',
        },
    ),
  ];
  return problems.filter((problem) => problem !== false);
}
