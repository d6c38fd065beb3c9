import { dynamo } from '../../../lib/runtime/clients.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AccessCodeMistyped, AccessCodeNotFound } from '../errors.ts';
import { lookUpAccessCode } from '../routes.ts';
import { statusOf } from '../rules/batch.ts';
import { readCode } from '../rules/code.ts';
import { hashOf } from '../stores/code-keys.ts';
import { readCodeRow, readWithBatch } from '../stores/code-rows.ts';

export const handler = serve(lookUpAccessCode)(async ({ body, now, tables, secrets, fail }) => {
  const code = readCode(body.code);
  if (code === null) return fail(AccessCodeMistyped);
  const accessCodeId = hashOf(secrets.AccessCodeKey, code);
  const found = await readCodeRow(dynamo(), tables.AccessCodes, accessCodeId);
  if (!found) return fail(AccessCodeNotFound);
  const { batchId } = found;
  // An insurer's code is here once it is redeemed, and not before.
  if (batchId === null) return { accessCodeId, batchId, status: 'redeemed' as const };
  const { row, batch } = await readWithBatch(dynamo(), tables, { ...found, batchId });
  return { accessCodeId, batchId, status: statusOf(row, batch, now) };
});
