import { dataSharing } from '../functions/product.ts';

type Given = {
  readonly userId: string;
  readonly action?: 'agreed' | 'revoked';
  readonly agreementId?: string;
  readonly sequence?: number;
  readonly recordedAt?: string;
  readonly recordId?: string;
};

/** The last record of a consent and its pointer, with what the check of a look reads of them; not with a true hash. */
export function consentRows({ userId, action = 'agreed', agreementId = dataSharing, sequence = 1, ...given }: Given) {
  const pointer = {
    ...{ userId, agreementId, action, sequence, versionId: `${agreementId}-1.0` },
    recordedAt: given.recordedAt ?? new Date(Date.UTC(2026, 0, 1, 0, 0, sequence)).toISOString(),
    recordId: given.recordId ?? `record-${sequence}-of-${userId.slice(0, 8)}`,
    hash: `hash-${sequence}`,
  };
  return { ConsentStates: pointer, ConsentRecords: { userAgreement: `${userId}#${agreementId}`, ...pointer } };
}

/** Puts both rows, as one commit would. */
export async function putConsent(
  put: (table: 'ConsentRecords' | 'ConsentStates', row: Record<string, unknown>) => Promise<unknown>,
  given: Given,
): Promise<void> {
  const { ConsentRecords, ConsentStates } = consentRows(given);
  await put('ConsentRecords', ConsentRecords);
  await put('ConsentStates', ConsentStates);
}
