import * as z from 'zod/mini';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { AppVersion, combined, Instant, pathName, Timestamp, WantedLocale } from '../../lib/contract/fields.ts';
import { DeviceId, phoneAliases, phoneQuery, platforms } from '../../lib/contract/phone.ts';
import { route } from '../../lib/contract/route.ts';
import { append, read } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { applications } from '../product.ts';
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
    'Called at every app start; never a 400. `updateRequired` and `forceBlocked` decide. Neither: normal entry. ' +
    'Only `updateRequired`: an update is recommended. Both: blocked until the app is updated. Only ' +
    '`forceBlocked`: blocked for maintenance, and an update does not help. If a parameter is missing or not ' +
    'readable, the app may continue (`VERSION_NOT_STATED`). If the policy cannot be read, it may continue as well ' +
    '(`POLICY_UNAVAILABLE`). `version`, `app_version` and `os` are other names of `appVersion` and `platform`. ' +
    'Without a `deviceId`, a staged rollout reaches the device only when it reaches all devices.',
  applications: ['sleepcare', 'medinfo'],
  auth: 'public',
  hasty: true,
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
        'Apps start without a readable version or platform, so they can neither be asked to update nor be ' +
        'blocked. Probably a release of the app sends these values in another form.',
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
        'Apps are judged by the last policy that could be read. A change of the policy, including the end of a ' +
        'maintenance, does not reach them.',
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
    'Send the whole policy, with `If-Match` and the `ETag` that was read; for the first policy, with ' +
    '`If-None-Match: *`. The version check follows the new policy within five seconds.' +
    ' Together: `minimumVersion` is not newer than `recommendedVersion`, and that and each of `mandatoryReleases` not newer than `latestVersion`; no whole version that is recommended or the latest is blocked; `maintenance.until` is later than `from`; each text is there in `defaultLocale`.',
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
  summary: 'The answers that a draft policy would give to each of the given versions',
  description:
    'Without `policy` the stored policy is tried; without `at` the present time counts. Nothing is written.' +
    ' Together: a `policy` keeps the rules of replacing one.',
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
