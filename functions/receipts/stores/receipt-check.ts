import { environmentNamed } from '../../../lib/contract/environment-named.ts';
import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { isSignedBy, readCompact, thumbprintOf } from '../../../lib/runtime/jws.ts';
import type { ConsentRecord } from '../../access/consent-states.ts';
import { environments } from '../../product.ts';
import { Clock } from '../../time-machine/tables.ts';
import { differingClaims } from '../rules/claims-check.ts';
import type { StoredReceipt } from '../rules/stored-receipt.ts';
import { judgeReceipt } from '../rules/verification.ts';
import type { Signer } from './signer-check.ts';

type Known = Pick<Signer, 'keys'> & {
  readonly environment: string;
  /** Null if nobody asked which application's catalogue has the agreement. */
  readonly application: string | null;
  /** The catalogue's text for the record; absent if the catalogue was not read. */
  readonly content?: { readonly title: string; readonly contentUrl: string } | null;
  readonly realNow: Date;
};

/** Whether one of our keys signed it, and each of its claims is true of the record. */
export async function isReceiptOf(
  { environment, application, content, keys, realNow }: Known,
  stored: StoredReceipt,
  record: ConsentRecord,
): Promise<boolean> {
  const jws = readCompact(stored.receipt);
  const verdict = judgeReceipt(jws, await keys(jws?.kid ?? ''), environment, { isSignedBy, thumbprintOf });
  if (verdict.refusal !== null) return false;
  const known = { environment, application, content, now: realNow };
  const movedClock = tableExistsIn(Clock, environmentNamed(environments, environment));
  return (
    isTrueOf(verdict.claims, record, { ...known, movedClock }) &&
    stored.receiptId === record.recordId &&
    isOf(stored.issuedAt, verdict.claims.iat)
  );
}

/** Who signs can also sign what cannot be compared, such as a nesting of a hundred thousand. */
function isTrueOf(...said: Parameters<typeof differingClaims>): boolean {
  try {
    return differingClaims(...said).length === 0;
  } catch {
    return false;
  }
}

function isOf(issuedAt: unknown, iat: unknown): boolean {
  return Math.floor(Date.parse(String(issuedAt)) / 1000) === iat;
}
