import type { AuditEvents } from '../../audit/tables.ts';
import { mobileSettingDefined } from '../audit-actions.ts';
import { auditedFields } from '../rules/change.ts';
import { checkedDefinition, type Definition } from '../rules/definition.ts';
import { writeRow } from '../stores/setting-rows.ts';
import type { MobileSettings } from '../tables.ts';

/** Fixed, so that every start of the local stage has the same past. */
const seededAt = '2026-01-01T00:00:00.000Z';

const seeds: Readonly<Record<string, Definition>> = {
  'diary-reminder-hour': {
    description: 'At which hour of the morning the app reminds the patient of the sleep diary.',
    schema: { type: 'integer', minimum: 0, maximum: 23 },
    defaultValue: 9,
    killSwitch: null,
    rules: [],
  },
  'relaxation-audio': {
    description: 'Whether the app offers exercises to listen to.',
    schema: { type: 'boolean' },
    defaultValue: false,
    killSwitch: { isPulled: false, value: false },
    rules: [
      {
        ruleId: 'first-tenth',
        platform: null,
        fromVersion: '2.0.0',
        beforeVersion: null,
        locales: [],
        rolloutPercentage: 10,
        startsAt: null,
        endsAt: null,
        value: true,
      },
    ],
  },
};

/** Development settings; one that is there already stays as it is. */
export async function seedSettings(tables: {
  readonly MobileSettings: MobileSettings<'get' | 'put'>;
  readonly AuditEvents: AuditEvents<'put'>;
}): Promise<void> {
  for (const [settingId, seed] of Object.entries(seeds)) {
    const { definition, problems } = checkedDefinition(seed, null);
    if (!definition) throw new Error(`${settingId}: ${JSON.stringify(problems)}`);
    const audit = {
      application: 'medinfo',
      actor: 'seed',
      action: mobileSettingDefined,
      subject: `mobile-setting/${settingId}`,
      requestId: 'seed',
      before: null,
      after: auditedFields(definition),
      realNow: new Date(),
    };
    const stamp = { revision: 1, changeId: 'seed', updatedAt: seededAt, updatedBy: 'seed' };
    const stored = { settingId, type: definition.schema.type, definition: JSON.stringify(definition), ...stamp };
    await writeRow(tables, stored, audit);
  }
}
