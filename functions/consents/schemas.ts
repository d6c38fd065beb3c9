import * as z from 'zod/mini';
import { Id, Locale, Sha256, Timestamp } from '../../lib/contract/fields.ts';

/** A consent record as in answers and receipts. Anybody who has it can recompute its `hash`. */
export const ConsentRecord = z.object({
  userId: z.string(),
  agreementId: Id,
  recordedAt: Timestamp,
  sequence: z.int(),
  recordId: Id,
  action: z.enum(['agreed', 'revoked']),
  versionId: Id,
  contentHash: Sha256,
  locale: Locale,
  localeSource: z.enum(['stated', 'negotiated']),
  appVersion: z.nullable(z.string()),
  requestId: z.string(),
  source: z.enum(['user', 'imported']),
  previousHash: z.nullable(Sha256),
  hash: Sha256,
});
