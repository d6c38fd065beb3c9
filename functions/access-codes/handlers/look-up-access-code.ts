import { dynamo } from '../../../lib/runtime/clients.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AccessCodeMistyped, AccessCodeNotFound } from '../errors.ts';
import { lookUpAccessCode } from '../routes.ts';
import { statusOf } from '../rules/batch.ts';
import { readCode } from '../rules/code.ts';
import { hashOf } from '../stores/code-keys.ts';
import { readBatch, readCodeRow } from '../stores/code-rows.ts';

export const handler = serve(lookUpAccessCode)(async ({ body, now, tables, secrets, fail }) => {
  const code = readCode(body.code);
  if (code === null) return fail(AccessCodeMistyped);
  const accessCodeId = hashOf(secrets.AccessCodeKey, code);
  const row = await readCodeRow(dynamo(), tables.AccessCodes, accessCodeId);
  if (!row) return fail(AccessCodeNotFound);
  const { batchId } = row;
  // An insurer's code is here once it is redeemed, and not before.
  if (batchId === null) return { accessCodeId, batchId, status: 'redeemed' as const };
  const batch = await readBatch(dynamo(), tables.AccessCodeBatches, batchId);
  if (!batch) throw new Error('a code has no batch');
  return { accessCodeId, batchId, status: statusOf(row, batch, now) };
});
