import { ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { check } from '../../../lib/runtime/rows.ts';
import type { ConsentState, ConsentStates } from '../../access/consent-states.ts';

/** The item of a transaction that holds while a consent is the latest record that it was when it was read. */
export function stillConsents(table: ConsentStates<'check'>, { userId, agreementId, sequence, action }: ConsentState) {
  return check(table, { userId, agreementId }, ifUnchanged({ sequence, action }));
}
