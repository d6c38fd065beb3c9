import type { Policy } from '../../functions/app-version/rules/policy.ts';

/** A policy with a bit of everything; the tests change what they are about. */

const texts = (subject: string) => ({
  en: { title: `${subject} (en)`, message: `About the ${subject}` },
  de: { title: `${subject} (de)`, message: `Zum ${subject}` },
});

export function policy(changes: Partial<Policy> = {}): Policy {
  return {
    latestVersion: '3.1.0',
    recommendedVersion: '3.0.0',
    minimumVersion: '2.0.0',
    blockedBuilds: [],
    mandatoryReleases: [],
    rolloutPercentage: 100,
    maintenance: null,
    storeUrl: 'https://store.example.com/app',
    defaultLocale: 'en',
    texts: { recommended: texts('update'), blocked: texts('block'), maintenance: texts('maintenance') },
    ...changes,
  };
}
