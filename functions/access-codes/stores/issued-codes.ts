import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { put, type TransactItem } from '../../../lib/runtime/rows.ts';
import type { IssuedAccessCodes } from '../tables.ts';
import { hashOf, ringOf, seal, unseal } from './code-keys.ts';

/** Table `IssuedAccessCodes`: what a batch's first answer said, to be said again for a day; and insurers' codes, to be billed. */

export type IssuedCode = { readonly accessCodeId: string; readonly code: string };

/** @param chunk `expiresAt` in seconds since 1970 */
export function putIssued(
  table: IssuedAccessCodes<'put'>,
  secret: KeyRing,
  { batchId, part, codes, expiresAt }: { batchId: string; part: string; codes: readonly string[]; expiresAt: number },
): TransactItem {
  return put(table, { batchId, part, sealed: seal(secret, codes.join(), `${batchId}#${part}`), expiresAt });
}

/** The key of an insurer's code, which its entitlement leads to. */
export function insurerKey(accessCodeId: string) {
  return { batchId: accessCodeId, part: 'insurer' };
}

/** So long a redeemed code of an insurer's can be billed; then nobody can read it any more. */
const billableMs = 180 * 86_400_000;

/** @param sealed for the place `accessCodeId` */
export function putInsurersCode(
  table: IssuedAccessCodes<'put'>,
  { accessCodeId, sealed, realNow }: { accessCodeId: string; sealed: string; realNow: Date },
): TransactItem {
  const expiresAt = Math.ceil((realNow.getTime() + billableMs) / 1000);
  return put(table, { ...insurerKey(accessCodeId), sealed, expiresAt });
}

/** By chunk. What DynamoDB has not deleted yet and is older than its day counts as gone. */
export async function readIssued(
  table: IssuedAccessCodes<'query'>,
  secret: KeyRing,
  { batchId, realNow }: { batchId: string; realNow: Date },
): Promise<Map<string, IssuedCode[]>> {
  const rows = await queryAll(table, inPartition({ batchId }));
  const kept = rows.filter(({ expiresAt }) => expiresAt * 1000 > realNow.getTime());
  return new Map(
    kept.map(({ part, sealed }) => {
      const ring = ringOf(secret, sealed);
      const codes = unseal(ring, sealed, `${batchId}#${part}`).split(',');
      return [part, codes.map((code) => ({ accessCodeId: hashOf(ring, code), code }))];
    }),
  );
}
