import * as z from 'zod/mini';
import { Id, Timestamp } from '../../lib/contract/fields.ts';
import { procedure } from '../../lib/contract/procedures.ts';

/** The one receipt of a record, which is signed if it has none yet. The performer reads the record itself; null if there is none. */
export const SignReceipt = procedure('SignReceipt', {
  isRepeatable: true,
  input: z.object({ userId: Id, agreementId: Id, recordedAt: Timestamp }),
  output: z.object({
    signed: z.nullable(z.object({ receiptId: Id, issuedAt: Timestamp, receipt: z.string() })),
  }),
});
