import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';
import { MobileSettingContent } from './schemas.ts';

const settingId = 'relaxation-audio';

const rule = {
  ruleId: 'first-tenth',
  platform: null,
  fromVersion: '2.0.0',
  beforeVersion: null,
  locales: [],
  rolloutPercentage: 10,
  startsAt: null,
  endsAt: null,
  value: true,
};

const content = {
  description: 'Whether the app offers exercises to listen to.',
  schema: { type: 'boolean' },
  defaultValue: false,
  killSwitch: { isPulled: false, value: false },
  rules: [rule],
};

const definition = {
  settingId,
  revision: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
  updatedBy: 'seed',
  ...content,
};

const hour = {
  ...{ settingId: 'diary-reminder-hour', revision: 1, updatedAt: '2026-01-01T00:00:00.000Z', updatedBy: 'seed' },
  description: 'At which hour of the morning the app reminds the patient of the sleep diary.',
  schema: { type: 'integer', minimum: 0, maximum: 23 },
  defaultValue: 9,
  killSwitch: null,
  rules: [],
};

export const reference: ReferenceTo<typeof routes> = {
  about: 'Settings of the installed app, with rules that choose a value by the phone.',
  schemas: [
    [
      MobileSettingContent,
      {
        description:
          '`schema` is a JSON Schema with a `type` that never changes. It can also have these keywords: `enum`, `minimum`, `maximum`, `minLength`, ' +
          '`maxLength`, `items`, `minItems`, `maxItems`, `properties`, `required` and `additionalProperties`. `defaultValue` and the values of the kill switch and of each rule must fit the schema. The definition has at most 20,000 bytes of JSON in UTF-8.',
      },
    ],
  ],
  examples: {
    readMobileSettings: {
      query: { platform: 'ios', appVersion: '1.4.0', locale: 'de-DE', deviceId: 'phone-1' },
      answer: {
        settings: { 'diary-reminder-hour': 9, 'relaxation-audio': false },
        reason: 'RESOLVED',
        resolvedAt: '2026-11-22T07:13:54.372Z',
      },
    },
    listMobileSettingDefinitions: {
      answer: { items: [hour, definition], metadata: { limit: 20, count: 2, hasMore: false, nextCursor: null } },
    },
    readMobileSettingDefinition: { params: { settingId }, answer: definition },
    simulateMobileSetting: {
      params: { settingId },
      body: {
        phones: [
          { platform: 'ios', appVersion: '1.4.0', locale: 'de-DE', deviceId: null },
          { platform: 'ios', appVersion: '2.1.0', locale: 'de-DE', deviceId: null },
        ],
      },
      answer: {
        at: '2026-11-22T07:13:55.623Z',
        results: [
          {
            value: false,
            because: 'DEFAULT',
            ruleId: null,
            rolloutPlace: null,
            steps: [{ ruleId: 'first-tenth', outcome: 'VERSION' }],
          },
          {
            value: false,
            because: 'DEFAULT',
            ruleId: null,
            rolloutPlace: null,
            steps: [{ ruleId: 'first-tenth', outcome: 'ROLLOUT' }],
          },
        ],
      },
    },
    putMobileSettingDefinition: {
      params: { settingId },
      headers: { 'if-match': '"1"' },
      body: { ...content, rules: [{ ...rule, rolloutPercentage: 25 }] },
      answer: {
        ...definition,
        rules: [{ ...rule, rolloutPercentage: 25 }],
        revision: 2,
        updatedAt: '2026-11-22T07:13:56.210Z',
        updatedBy: '7b1d9a52-0f4e-4b37-9c1c-2a4f6d1e8b90',
      },
    },
    deleteMobileSettingDefinition: {
      params: { settingId },
      headers: { 'if-match': '"2"' },
      answer: { settingId, deleted: true },
    },
  },
};
