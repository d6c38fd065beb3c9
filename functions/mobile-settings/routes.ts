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
    'Never a 400: what is not stated or not readable matches no rule that asks for it. Where the settings cannot be had the last known ' +
    'ones are answered, else none (`SETTINGS_UNAVAILABLE`): an app goes by its own for each that is not in the answer. A change is told ' +
    'within five seconds. `version`, `app_version` and `os` are other names of `appVersion` and `platform`. Without a `deviceId` a ' +
    'rollout reaches the device when it reaches all.',
  applications: ['sleepcare'],
  auth: 'public',
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
      impact:
        'Apps start without settings and go by those that they were built with: a kill switch that is pulled does not reach them.',
    },
    settingsStale: {
      alarmAbove: 0.01,
      impact:
        'Apps are told the last settings that could be read: a change, a kill switch as well, does not reach them.',
    },
    settingUnreadable: {
      alarmAbove: 0.01,
      impact: 'A stored setting has a form that cannot be read: apps go by the one that they were built with.',
    },
  },
  response: ResolvedMobileSettings,
  errors: [],
});

export const listMobileSettingDefinitions = route({
  method: 'GET',
  path: '/mobile/settings/definitions',
  summary: "The definitions of the app's settings, by id",
  description: 'Without one that cannot be read: by its id it is answered with the `ETag` that it is replaced by.',
  applications: ['medinfo'],
  auth: administerSettings,
  uses: [read(MobileSettings)],
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
    'The whole definition, on the condition of `If-Match` with the `ETag` that was read; the first one with `If-None-Match: *`. Every ' +
    "value has to fit `schema`, whose `type` stays the setting's for good. The first rule that fits a phone wins; a kill switch that is " +
    'pulled wins over all rules.',
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
  description: 'On the condition of `If-Match`. Apps go by the value that they were built with.',
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
  summary: 'Which value a draft of a setting gives to each of the given phones, by which rule and why',
  description: 'Without `definition` the stored one is asked; without `at` it is asked now. Nothing is written.',
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
