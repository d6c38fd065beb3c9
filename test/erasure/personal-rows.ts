import { randomUUID } from 'node:crypto';
import type { PersonalRows } from '../personal-rows.ts';

/** A hold of one's own would keep everything: here somebody placed another's. */
export const personalRows: PersonalRows = async ({ userId, put }) => {
  await put('LegalHolds', { userId: randomUUID(), since: new Date().toISOString(), by: userId, reason: 'CASE-2026-1' });
};
