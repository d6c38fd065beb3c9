import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Finding } from '../../ledger/rules/finding.ts';
import { type KeyTrust, readKeyRows, vouchedKey } from '../stores/public-keys.ts';

type Checking = KeyTrust & {
  readonly client: DynamoDBDocumentClient;
  /** `PublicKeys`. */
  readonly table: string;
  /** The ids of those that KMS has for receipts; null where KMS is not asked. */
  readonly inKms: ReadonlySet<string> | null;
};

/** What is among the receipts' keys, and none of ours: it signs nothing that would be taken, and somebody put it there. */
export async function checkKeys({ client, table, inKms, ...trust }: Checking): Promise<Finding[]> {
  const rows = await readKeyRows(client, table);
  return rows.flatMap((row) => {
    const { keyId } = row;
    const says = reasonAgainst();
    return says ? [{ kind: 'receipt-key-foreign' as const, ...ofNobody, says: `${keyId}: ${says}` }] : [];

    function reasonAgainst(): string | null {
      const of = rows.find((one) => one.jwk && `${one.keyId}#revoked` === keyId);
      if (of) {
        return vouchedKey(of, rows, trust)?.revokedAt
          ? null
          : 'a marker of a revocation that the ledger has not signed';
      }
      if (!vouchedKey(row, rows, trust)) return 'a key that the ledger does not vouch for';
      return inKms === null || inKms.has(keyId)
        ? null
        : 'the ledger vouches for it, and KMS has no such key for receipts';
    }
  });
}

const ofNobody = { userId: null, agreementId: null, recordedAt: null, sequence: null };
