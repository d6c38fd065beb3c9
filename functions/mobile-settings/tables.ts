import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { SettingRow } from './rules/definition.ts';

/**
 * The settings of an application's installed apps; `revision` counts a setting's changes. What was deleted leaves its revision and
 * type: an old `ETag` fits nothing that comes after, and the name never means another type.
 */
export const MobileSettings = table<SettingRow>()('MobileSettings', {
  partitionKey: 'application',
  sortKey: 'settingId',
});
export type MobileSettings<A extends Action> = Handle<typeof MobileSettings, A>;
