import { randomUUID } from 'node:crypto';
import type { PersonalRows } from '../personal-rows.ts';

/** A hold on the own account would keep everything, so this user placed a hold on another one. */
export const personalRows: PersonalRows = async ({ userId, put }) => {
  await put('LegalHolds', { userId: randomUUID(), since: new Date().toISOString(), by: userId, reason: 'CASE-2026-1' });
};
