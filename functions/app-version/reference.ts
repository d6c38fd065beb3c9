import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';
import { AppVersionPolicyContent, AppVersionTexts } from './schemas.ts';

const policy = {
  latestVersion: '2.1.0',
  recommendedVersion: '2.0.0',
  minimumVersion: '1.5.0',
  blockedBuilds: [{ version: '2.0.1', buildNumber: '201' }],
  mandatoryReleases: ['1.8.0'],
  rolloutPercentage: 100,
  maintenance: null,
  storeUrl: 'https://apps.apple.com/app/example-sleepcare/id0000000000',
  defaultLocale: 'en',
  texts: {
    recommended: {
      en: { title: 'Update available', message: 'A newer version of the app is available in the store.' },
      de: { title: 'Update verfügbar', message: 'Im Store ist eine neuere Version der App verfügbar.' },
    },
    blocked: {
      en: {
        title: 'Update required',
        message: 'This version of the app can no longer be used. Please update it in the store.',
      },
      de: {
        title: 'Update erforderlich',
        message: 'Diese Version der App kann nicht mehr verwendet werden. Bitte aktualisieren Sie sie im Store.',
      },
    },
    maintenance: {
      en: { title: 'Under maintenance', message: 'We are working on the service. Please try again later.' },
      de: {
        title: 'Wartungsarbeiten',
        message: 'Wir arbeiten gerade am Dienst. Bitte versuchen Sie es später erneut.',
      },
    },
  },
};

export const reference: ReferenceTo<typeof routes> = {
  about: 'Whether an installed app may go on, and the policies by which that is decided.',
  schemas: [
    [AppVersionTexts, { minProperties: 1, maxProperties: 30 }],
    [
      AppVersionPolicyContent,
      {
        description:
          '`minimumVersion` ≤ `recommendedVersion` ≤ `latestVersion`, no mandatory release is newer, and each kind of ' +
          'text has one in the `defaultLocale`.',
      },
    ],
  ],
  examples: {
    checkAppVersion: {
      query: { platform: 'ios', appVersion: '1.4.0', locale: 'de-DE' },
      answer: {
        updateRequired: true,
        forceBlocked: true,
        outcome: 'blocked',
        reason: 'BELOW_MINIMUM',
        latestVersion: '2.1.0',
        recommendedVersion: '2.0.0',
        minimumVersion: '1.5.0',
        storeUrl: 'https://apps.apple.com/app/example-sleepcare/id0000000000',
        title: 'Update erforderlich',
        message: 'Diese Version der App kann nicht mehr verwendet werden. Bitte aktualisieren Sie sie im Store.',
        checkedAt: '2026-11-22T07:13:54.372Z',
      },
    },
    readAppVersionPolicy: {
      params: { application: 'sleepcare', platform: 'ios' },
      answer: {
        application: 'sleepcare',
        platform: 'ios',
        revision: 1,
        updatedAt: '2026-01-01T00:00:00.000Z',
        updatedBy: 'seed',
        ...policy,
      },
    },
    simulateAppVersionPolicy: {
      params: { application: 'sleepcare', platform: 'ios' },
      body: { versions: ['1.4.0', '1.9.0', '2.1.0'], locale: 'en' },
      answer: {
        at: '2026-11-22T07:13:55.623Z',
        results: [
          {
            appVersion: '1.4.0',
            updateRequired: true,
            forceBlocked: true,
            outcome: 'blocked',
            reason: 'BELOW_MINIMUM',
            title: 'Update required',
            message: 'This version of the app can no longer be used. Please update it in the store.',
          },
          {
            appVersion: '1.9.0',
            updateRequired: true,
            forceBlocked: false,
            outcome: 'recommended',
            reason: 'BELOW_RECOMMENDED',
            title: 'Update available',
            message: 'A newer version of the app is available in the store.',
          },
          {
            appVersion: '2.1.0',
            updateRequired: false,
            forceBlocked: false,
            outcome: 'normal',
            reason: 'UP_TO_DATE',
            title: null,
            message: null,
          },
        ],
      },
    },
    putAppVersionPolicy: {
      params: { application: 'sleepcare', platform: 'ios' },
      headers: { 'if-match': '"1"' },
      body: {
        ...policy,
        recommendedVersion: '2.1.0',
      },
      answer: {
        application: 'sleepcare',
        platform: 'ios',
        revision: 2,
        updatedAt: '2026-11-22T07:13:56.302Z',
        updatedBy: '37220927-b3cb-4528-8d0a-2a0fd0aac537',
        ...policy,
        recommendedVersion: '2.1.0',
      },
    },
  },
};
