/** Who works here, as colleagues find each other. Pure. */

import type { Role } from '../../../lib/contract/register.ts';

export type DirectoryEntry = {
  readonly userId: string;
  /** As patients see it, too. Null: nobody has given one, and the entry is in no list. */
  readonly name: string | null;
  readonly title: string | null;
  readonly specialties: readonly string[];
  /** Where the person works: as in `Staff`, written with it. */
  readonly siteIds: readonly string[];
  /** As the administration of roles last said; null: it has not yet. */
  readonly roles: readonly Role[] | null;
  readonly status: 'active' | 'disabled';
  /** Counts the changes; 0: nothing is stored. */
  readonly revision: number;
};

export type DirectoryKey = { readonly part: string; readonly place: string };
export type DirectoryRow = DirectoryEntry & DirectoryKey;

export type EntryChanges = {
  readonly [F in keyof Omit<DirectoryEntry, 'userId' | 'revision'>]?: DirectoryEntry[F] | undefined;
};

export function newEntry(userId: string): DirectoryEntry {
  const unsaid = { name: null, title: null, specialties: [], siteIds: [], roles: null } as const;
  return { userId, ...unsaid, status: 'active', revision: 0 };
}

/** @returns the same object where nothing changes */
export function changedEntry(entry: DirectoryEntry, changes: EntryChanges): DirectoryEntry {
  const said = Object.entries(changes).filter(([, value]) => value !== undefined);
  const isNew = ([field, value]: [string, unknown]) =>
    JSON.stringify(entry[field as keyof DirectoryEntry]) !== JSON.stringify(value);
  return said.some(isNew) ? { ...entry, ...Object.fromEntries(said), revision: entry.revision + 1 } : entry;
}

export function withSite(entry: DirectoryEntry, siteId: string, name: string): DirectoryEntry {
  return changedEntry(entry, { name, siteIds: [...new Set([...entry.siteIds, siteId])].toSorted() });
}

export function withoutSite(entry: DirectoryEntry, siteId: string): DirectoryEntry {
  return changedEntry(entry, { siteIds: entry.siteIds.filter((each) => each !== siteId) });
}

/** As it is answered. */
export function shownEntry({ revision: _revision, specialties, siteIds, roles, ...entry }: DirectoryEntry) {
  return { ...entry, specialties: [...specialties], siteIds: [...siteIds], roles: roles && [...roles] };
}
