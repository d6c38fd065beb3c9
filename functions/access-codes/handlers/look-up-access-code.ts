import { serve } from '../../../lib/runtime/serve.ts';
import { AccessCodeMistyped, AccessCodeNotFound } from '../errors.ts';
import { lookUpAccessCode } from '../routes.ts';
import { statusOf } from '../rules/batch.ts';
import { readCode } from '../rules/code.ts';
import { hashesOf } from '../stores/code-keys.ts';
import { findCodeRow, readWithBatch } from '../stores/code-rows.ts';

export const handler = serve(lookUpAccessCode)(async ({ body, now, tables, secrets, fail }) => {
  const code = readCode(body.code);
  if (code === null) return fail(AccessCodeMistyped);
  const found = await findCodeRow(tables.AccessCodes, hashesOf(secrets.AccessCodeKey, code));
  if (!found) return fail(AccessCodeNotFound);
  const { accessCodeId, batchId } = found;
  // An insurer's code is here once it is redeemed, and not before.
  if (batchId === null) return { accessCodeId, batchId, status: 'redeemed' as const };
  const { row, batch } = await readWithBatch(tables, { ...found, batchId });
  return { accessCodeId, batchId, status: statusOf(row, batch, now) };
});
