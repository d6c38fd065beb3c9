import { randomBytes } from 'node:crypto';
import { get, put } from '../../../lib/runtime/rows.ts';
import { keyBytes } from '../rules/pseudonym.ts';
import type { StudyKeys } from '../tables.ts';

/** Table `StudyKeys`. A key is put once, and nothing deletes it: without it nobody could say whose a pseudonym is. */

/** Strongly consistent. */
export async function readStudyKey(table: StudyKeys<'get'>, studyId: string): Promise<Uint8Array | null> {
  return (await get(table, { studyId }))?.secret ?? null;
}

/** The item of the transaction that creates the study: no function that participants call can choose or replace its key. */
export function putStudyKey(table: StudyKeys<'put'>, studyId: string) {
  return put(table, { studyId, secret: new Uint8Array(randomBytes(keyBytes)) });
}
