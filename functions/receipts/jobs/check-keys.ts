import type { Objects } from '../../../lib/runtime/objects.ts';
import { findForeign, type KeyTrust } from '../stores/published-keys.ts';

const ofNobody = { userId: null, agreementId: null, recordedAt: null, sequence: null } as const;

/** One kind of the findings of `npm run cli -- verify-ledger`. */
export type ForeignKey = typeof ofNobody & { readonly kind: 'receipt-key-foreign'; readonly says: string };

/**
 * Finds foreign keys among those of receipts and manifests: nothing that they sign is accepted, but somebody put them there.
 *
 * @param asksKms false if KMS is not asked which keys it has
 */
export async function checkKeys(evidence: Objects, trust: KeyTrust, asksKms: boolean): Promise<ForeignKey[]> {
  const findings: ForeignKey[] = [];
  for await (const { key, says } of findForeign(evidence, trust, asksKms)) {
    findings.push({ kind: 'receipt-key-foreign', ...ofNobody, says: `${key}: ${says}` });
  }
  return findings;
}
