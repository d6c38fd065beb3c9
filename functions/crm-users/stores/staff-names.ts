import { get, put } from '../../../lib/runtime/rows.ts';
import { type Staff, type StaffProfile, staffProfile } from '../../access/data-subject.ts';

/** The profiles of table `Staff`: what patients see of a person who looked at their data. */

export async function readStaffName(table: Staff<'get'>, userId: string): Promise<string | null> {
  return (await get<StaffProfile>(table, { userId, part: staffProfile }))?.name ?? null;
}

/** An item of a transaction: the name that patients see. */
export function putStaffName(table: Staff<'put'>, userId: string, name: string) {
  return put(table, { userId, part: staffProfile, name });
}
