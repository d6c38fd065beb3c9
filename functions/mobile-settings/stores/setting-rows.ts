import * as z from 'zod/mini';
import { type StaleOnError, staleOnError } from '../../../lib/runtime/cached.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get } from '../../../lib/runtime/rows.ts';
import { type Replacement, replaceVersioned } from '../../audit/exports.ts';
import { etagOf } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import type { Definition, SettingRow } from '../rules/definition.ts';
import type { Stored } from '../rules/room.ts';
import { MobileSettingDefinition } from '../schemas.ts';
import type { MobileSettings } from '../tables.ts';

/** Table `MobileSettings`: a row for each setting. All of an application's are one Query. */

/** How long, in real time, a function keeps the settings for phones. After that every answer follows a change. */
const settingsMs = 5_000;

/** Whose settings there are. */
const application = 'sleepcare';

export type StoredSetting = Definition & {
  readonly settingId: string;
  readonly revision: number;
  readonly updatedAt: string;
  readonly updatedBy: string;
};

/** @throws where the row is of another form; null of a deleted one, or of none */
function settingOf(row: SettingRow | null): StoredSetting | null {
  if (!row || row.definition === null) return null;
  const { settingId, revision, updatedAt, updatedBy } = row;
  const stored = z.parse(MobileSettingDefinition, {
    ...(JSON.parse(row.definition) as object),
    ...{ settingId, revision, updatedAt, updatedBy },
  });
  // It was checked before it was stored.
  return stored as StoredSetting;
}

/** The same for what is replaced: null also of a row of another form, so that it can be. */
export function readableSetting(row: SettingRow | null): StoredSetting | null {
  try {
    return settingOf(row);
  } catch {
    return null;
  }
}

/** One that is there and has another form than any of ours. */
export function isUnreadable(row: SettingRow | null): row is SettingRow {
  return row !== null && row.definition !== null && readableSetting(row) === null;
}

/** 0 of a row that no change of ours wrote. */
export function revisionOf(row: SettingRow | null): number {
  return row?.revision ?? 0;
}

/** By which it is replaced; null where `If-None-Match: *` replaces it. */
export function etagOfRow(row: SettingRow): string | null {
  return revisionOf(row) === 0 ? null : etagOf(revisionOf(row));
}

/** A row as it is, also a deleted one and one of another form. Strongly consistent, as is every read here. */
export async function readRow(table: MobileSettings<'get'>, settingId: string): Promise<SettingRow | null> {
  return get(table, { application, settingId });
}

const ofApplication = inPartition({ application });

export type AllSettings = { readonly settings: readonly StoredSetting[]; readonly unreadable: readonly unknown[] };

/** All that are there, by id. One that cannot be read takes no other with it. */
async function readSettings(table: MobileSettings<'query'>): Promise<AllSettings> {
  const rows = await queryAll(table, ofApplication);
  const settings: StoredSetting[] = [];
  const unreadable: unknown[] = [];
  for (const row of rows) {
    try {
      const setting = settingOf(row);
      if (setting) settings.push(setting);
    } catch (error) {
      unreadable.push(error);
    }
  }
  return { settings, unreadable };
}

/** The same, kept by a function; while they cannot be read, the last known ones. @param elapsedMs real time that never goes back */
export function keptSettings(
  table: MobileSettings<'query'>,
  elapsedMs: () => number,
): () => Promise<StaleOnError<AllSettings>> {
  return staleOnError(() => readSettings(table), settingsMs, elapsedMs);
}

/** The definitions as they are stored, also those that cannot be read. */
export async function readDefinitions(table: MobileSettings<'query'>): Promise<Stored[]> {
  const rows = await queryAll(table, ofApplication);
  return rows.flatMap(({ settingId, definition }) =>
    definition === null ? [] : [{ settingId, definition: String(definition) }],
  );
}

/** A page of them by id, without deleted and unreadable ones. @param after the id that the page before ended with */
export async function readSettingPage(
  table: MobileSettings<'query'>,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ settings: StoredSetting[]; next: string | null }> {
  const query = inPartition({ application }, { settingId: all }, after);
  const { rows, next } = await queryPage(table, query, limit);
  const settings = rows.map(readableSetting).filter((setting) => setting !== null);
  return { settings, next };
}

/** @returns false where another writer was there first */
export async function writeRow(
  tables: {
    readonly MobileSettings: MobileSettings<'get' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
  },
  { settingId, ...row }: Omit<SettingRow, 'application'>,
  audit: Replacement['audit'],
): Promise<boolean> {
  return replaceVersioned(
    { rows: tables.MobileSettings, AuditEvents: tables.AuditEvents },
    { key: { application, settingId }, row, audit },
  );
}
