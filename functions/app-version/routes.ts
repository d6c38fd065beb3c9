import * as z from 'zod/mini';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { applications } from '../../lib/contract/deployments.ts';
import { AppVersion, combined, Instant, pathName, Timestamp, WantedLocale } from '../../lib/contract/fields.ts';
import { DeviceId, phoneAliases, phoneQuery, platforms } from '../../lib/contract/phone.ts';
import { route } from '../../lib/contract/route.ts';
import { append, read } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { AppVersionPolicyNotFound } from './errors.ts';
import { administerAppVersions } from './permissions.ts';
import { AppVersionPolicy, AppVersionPolicyContent, BuildNumber } from './schemas.ts';
import { AppVersionPolicies } from './tables.ts';

const reasons = [
  'UP_TO_DATE',
  'BELOW_RECOMMENDED',
  'BELOW_MINIMUM',
  'BUILD_BLOCKED',
  'MANDATORY_SKIPPED',
  'MAINTENANCE',
  'VERSION_NOT_STATED',
  'POLICY_UNAVAILABLE',
] as const;

const verdict = {
  updateRequired: z.boolean(),
  forceBlocked: z.boolean(),
  outcome: z.enum(['normal', 'recommended', 'blocked']),
  reason: z.enum(reasons),
};
const text = { title: z.nullable(z.string()), message: z.nullable(z.string()) };

const policyParams = z.object({
  application: pathName(applications, AppVersionPolicyNotFound),
  platform: pathName(platforms, AppVersionPolicyNotFound),
});

export const AppVersionCheck = z.object(
  combined(
    verdict,
    {
      latestVersion: z.nullable(AppVersion),
      recommendedVersion: z.nullable(AppVersion),
      minimumVersion: z.nullable(AppVersion),
      storeUrl: z.nullable(z.string()),
    },
    combined(text, { checkedAt: Timestamp }),
  ),
);

export const AppVersionSimulation = z.object(combined({ appVersion: AppVersion }, verdict, text));

export const checkAppVersion = route({
  method: 'GET',
  path: '/mobile/app-version/check',
  summary: 'Whether the installed app may continue, should be updated or is blocked',
  description:
    'Called at every app start; never a 400. `updateRequired` and `forceBlocked` decide: neither, normal entry; ' +
    '`updateRequired` alone, an update is recommended; both, blocked until the app is updated; `forceBlocked` alone, ' +
    'blocked for maintenance, where no update helps. What is not stated or not readable speaks for the app ' +
    '(`VERSION_NOT_STATED`), as does a policy that cannot be had (`POLICY_UNAVAILABLE`). `version`, `app_version` ' +
    'and `os` are other names of `appVersion` and `platform`. Without a `deviceId` a staged rollout reaches the ' +
    'device when it reaches all.',
  applications: ['sleepcare', 'medinfo'],
  auth: 'public',
  uses: [read(AppVersionPolicies)],
  tolerant: true,
  query: z.object(combined(phoneQuery, { buildNumber: z.optional(BuildNumber), osVersion: z.optional(z.string()) })),
  aliases: phoneAliases,
  headers: z.object({ 'accept-language': z.optional(z.string()) }),
  etag: true,
  cacheControl: 'private, max-age=0',
  counts: {
    versionNotStated: {
      alarmAbove: 0.1,
      impact:
        'Apps start without a version or platform that can be read, so that none of them can be told to update or be ' +
        'blocked: a release probably sends them in another form.',
    },
    policyUnavailable: {
      alarmAbove: 0.01,
      impact:
        'Apps start without a version policy: all enter normally, also those that should be blocked. No policy was ' +
        'stored, or its table cannot be read.',
    },
    policyStale: {
      alarmAbove: 0.01,
      impact:
        'Apps are judged by the last policy that could be read: a change of it, the end of a maintenance as well, ' +
        'does not reach them.',
    },
  },
  response: AppVersionCheck,
  errors: [],
});

export const readAppVersionPolicy = route({
  method: 'GET',
  path: '/mobile/app-version/policies/{application}/{platform}',
  summary: "An application's version policy on one platform",
  applications: ['medinfo'],
  auth: administerAppVersions,
  uses: [read(AppVersionPolicies)],
  params: policyParams,
  response: AppVersionPolicy,
  etag: true,
  errors: [AppVersionPolicyNotFound],
});

export const putAppVersionPolicy = route({
  method: 'PUT',
  path: '/mobile/app-version/policies/{application}/{platform}',
  summary: 'Replaces a version policy',
  description:
    'The whole policy, on the condition of `If-Match` with the `ETag` that was read; the first one with ' +
    '`If-None-Match: *`. Apps are told by it within five seconds.',
  applications: ['medinfo'],
  auth: administerAppVersions,
  uses: [read(AppVersionPolicies), append(AppVersionPolicies), append(AuditEvents)],
  params: policyParams,
  headers: z.object({ 'if-match': z.optional(z.string()), 'if-none-match': z.optional(z.string()) }),
  body: AppVersionPolicyContent,
  response: AppVersionPolicy,
  etag: true,
  errors: [ValidationFailed, AppVersionPolicyNotFound, PreconditionFailed, PreconditionRequired],
});

export const simulateAppVersionPolicy = route({
  method: 'POST',
  path: '/mobile/app-version/policies/{application}/{platform}/simulate',
  summary: 'What a draft policy would answer to each of the given versions',
  description: 'Without `policy` the stored one is asked; without `at` it is asked now. Nothing is written.',
  applications: ['medinfo'],
  auth: administerAppVersions,
  uses: [read(AppVersionPolicies)],
  params: policyParams,
  body: z.object({
    policy: z.optional(AppVersionPolicyContent),
    versions: z.array(AppVersion).check(z.minLength(1), z.maxLength(100)),
    buildNumber: z.optional(BuildNumber),
    deviceId: z.optional(DeviceId),
    locale: z.optional(WantedLocale),
    at: z.optional(Instant),
  }),
  response: z.object({ at: Timestamp, results: z.array(AppVersionSimulation) }),
  errors: [ValidationFailed, AppVersionPolicyNotFound],
});
