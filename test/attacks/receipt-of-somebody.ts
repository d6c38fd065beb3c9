import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ReceiptClaims } from '../../functions/receipts/rules/receipt.ts';
import { readCompact } from '../../lib/runtime/jws.ts';
import type { AttackedStage } from './attacked-stage.ts';

/** A user who agreed, and asked for the receipt of it. */
export async function receiptOfSomebody(attacked: AttackedStage) {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
  const ask = () => call('GET', '/users/agreements/marketing/receipt');
  const { status, body } = await ask();
  expect(status).toBe(200);
  const claims = readCompact(body.receipt)?.payload as ReceiptClaims;
  const Key = { userAgreement: `${userId}#marketing`, recordedAt: body.record.recordedAt };
  return { userId, ask, claims, receipt: body.receipt as string, Key };
}
