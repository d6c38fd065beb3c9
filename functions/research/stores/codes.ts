import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { keyedHash, keyedHashes } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import type { Code } from '../rules/enrolment.ts';
import type { StudyCodes } from '../tables.ts';

/** Table `StudyCodes`: codes of studies and invitations, by their hashes. */

const hashUse = 'study-code hash';

/** The id of a new code: HMAC-SHA-256, with the id of its key. */
export function codeIdOf(secret: KeyRing, code: string): string {
  return keyedHash(secret, hashUse, code);
}

/** The ids that a code can have: it was made with one of the known keys. */
export function codeIdsOf(secret: KeyRing, code: string): readonly string[] {
  return keyedHashes(secret, hashUse, code);
}

/** Strongly consistent. @param codeIds one for each known key; a code has one of them */
export async function readCodeRow(table: StudyCodes<'get'>, codeIds: readonly string[]): Promise<Code | null> {
  for (const codeId of codeIds) {
    const code = await get(table, { codeId });
    if (code) return code;
  }
  return null;
}

/** The item of a transaction. Its id follows from 100 random bits. */
export function putNewCode(table: StudyCodes<'put'>, code: Code) {
  return put(table, code);
}

/** The item of a transaction that takes a code out of use. */
export function deleteCode(table: StudyCodes<'remove'>, codeId: string) {
  return remove(table, { codeId });
}

/** The item of the join by an invitation: once. */
export function putUsedInvitation(table: StudyCodes<'put'>, { usedAt: _usedAt, ...invitation }: Code, usedAt: string) {
  return put(
    table,
    { ...invitation, usedAt },
    { ConditionExpression: 'attribute_exists(codeId) AND attribute_not_exists(usedAt)' },
  );
}
