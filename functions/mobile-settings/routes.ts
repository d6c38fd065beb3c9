import * as z from 'zod/mini';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Instant, notFoundErrors, Timestamp } from '../../lib/contract/fields.ts';
import { phoneAliases, phoneQuery } from '../../lib/contract/phone.ts';
import { route } from '../../lib/contract/route.ts';
import { append, get, read } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { MobileSettingLimitReached, MobileSettingNotFound, MobileSettingUnreadable } from './errors.ts';
import { administerSettings } from './permissions.ts';
import { MobileSettingContent, MobileSettingDefinition, MobileSettingResult, SimulatedPhone } from './schemas.ts';
import { MobileSettings } from './tables.ts';

export const ResolvedMobileSettings = z.object({
  /** By id. */
  settings: z.record(z.string(), z.unknown()),
  reason: z.enum(['RESOLVED', 'SETTINGS_UNAVAILABLE']),
  resolvedAt: Timestamp,
});

/** Words with single marks between them, which `__proto__` is not: JavaScript would take it for no name. */
const SettingId = z
  .string()
  .check(z.maxLength(64), z.regex(/^[a-z][A-Za-z0-9]*([._-][A-Za-z0-9]+)*$/, 'must be a name such as diary-reminder'));

const ofSetting = z.object({ settingId: named() });

function named() {
  const schema = SettingId.check();
  notFoundErrors.set(schema, MobileSettingNotFound);
  return schema;
}

export const readMobileSettings = route({
  method: 'GET',
  path: '/mobile/settings',
  summary: "The settings of the installed app, resolved for the caller's phone",
  description:
    'Never a 400: a rule does not match if it needs a parameter that is missing or not readable. If the settings ' +
    'cannot be read, the answer has the last known settings, or none (`SETTINGS_UNAVAILABLE`). For each setting ' +
    'that is not in the answer, the app uses its own value. A change is in the answer within five seconds. ' +
    '`version`, `app_version` and `os` are other names of `appVersion` and `platform`. Without a `deviceId`, a ' +
    'rollout reaches the device only when it reaches all devices.',
  applications: ['sleepcare'],
  auth: 'public',
  hasty: true,
  uses: [read(MobileSettings)],
  tolerant: true,
  query: z.object(phoneQuery),
  aliases: phoneAliases,
  headers: z.object({ 'accept-language': z.optional(z.string()) }),
  etag: true,
  cacheControl: 'private, max-age=0',
  counts: {
    settingsUnavailable: {
      alarmAbove: 0.01,
      impact: 'Apps start without settings and use their built-in values: a kill switch does not reach them.',
    },
    settingsStale: {
      alarmAbove: 0.01,
      impact: 'Apps get the last settings that could be read: a change, including a kill switch, does not reach them.',
    },
    settingUnreadable: {
      alarmAbove: 0.01,
      impact: 'A stored setting cannot be read: apps use their built-in value for it.',
    },
  },
  response: ResolvedMobileSettings,
  errors: [],
});

export const listMobileSettingDefinitions = route({
  method: 'GET',
  path: '/mobile/settings/definitions',
  summary: "The definitions of the app's settings, by id",
  description:
    'A definition that cannot be read is not in the list. A request for it by its id gets the `ETag` that is needed ' +
    'to replace it.',
  applications: ['medinfo'],
  auth: administerSettings,
  uses: [read(MobileSettings)],
  cursor: 'settingId',
  items: MobileSettingDefinition,
  errors: [],
});

export const readMobileSettingDefinition = route({
  method: 'GET',
  path: '/mobile/settings/definitions/{settingId}',
  summary: 'The definition of a setting',
  applications: ['medinfo'],
  auth: administerSettings,
  uses: [get(MobileSettings)],
  params: ofSetting,
  response: MobileSettingDefinition,
  etag: true,
  errors: [MobileSettingNotFound, MobileSettingUnreadable],
});

export const putMobileSettingDefinition = route({
  method: 'PUT',
  path: '/mobile/settings/definitions/{settingId}',
  summary: 'Defines a setting, or replaces its definition',
  description:
    'Send the whole definition, with `If-Match` and the `ETag` that was read; for the first definition, with ' +
    '`If-None-Match: *`. Every value must fit `schema`. The `type` of the schema can never change. The first rule ' +
    'that fits a phone decides. A kill switch that is on overrides all rules.' +
    ' Together: each value fits `schema`; each `ruleId` is there once; in a rule `beforeVersion` is newer than `fromVersion`, and `endsAt` later than `startsAt`.',
  applications: ['medinfo'],
  auth: administerSettings,
  uses: [read(MobileSettings), append(MobileSettings), append(AuditEvents)],
  params: ofSetting,
  headers: z.object({ 'if-match': z.optional(z.string()), 'if-none-match': z.optional(z.string()) }),
  body: MobileSettingContent,
  response: MobileSettingDefinition,
  etag: true,
  errors: [
    ValidationFailed,
    MobileSettingNotFound,
    MobileSettingLimitReached,
    PreconditionFailed,
    PreconditionRequired,
  ],
});

export const deleteMobileSettingDefinition = route({
  method: 'DELETE',
  path: '/mobile/settings/definitions/{settingId}',
  summary: 'Deletes a setting',
  description: 'Requires `If-Match`. Apps then use the value that they were built with.',
  applications: ['medinfo'],
  auth: administerSettings,
  uses: [read(MobileSettings), append(MobileSettings), append(AuditEvents)],
  params: ofSetting,
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  response: z.object({ settingId: z.string(), deleted: z.boolean() }),
  errors: [MobileSettingNotFound, PreconditionFailed, PreconditionRequired],
});

export const simulateMobileSetting = route({
  method: 'POST',
  path: '/mobile/settings/definitions/{settingId}/simulate',
  summary: 'The value that a draft of a setting gives to each of the given phones, with the rule and the reason',
  description:
    'Without `definition` the stored definition is tried; without `at` the present time counts. Nothing is written.' +
    ' Together: a `definition` keeps the rules of defining a setting.',
  applications: ['medinfo'],
  auth: administerSettings,
  uses: [get(MobileSettings)],
  params: ofSetting,
  body: z.object({
    definition: z.optional(MobileSettingContent),
    phones: z.array(SimulatedPhone).check(z.minLength(1), z.maxLength(100)),
    at: z.optional(Instant),
  }),
  response: z.object({ at: Timestamp, results: z.array(MobileSettingResult) }),
  errors: [ValidationFailed, MobileSettingNotFound, MobileSettingUnreadable],
});
