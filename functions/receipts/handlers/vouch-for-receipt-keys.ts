import { dynamo } from '../../../lib/runtime/clients.ts';
import { earlierKeysOf } from '../../../lib/runtime/environment.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { LedgerKey } from '../../ledger/signing-keys.ts';
import { vouchForReceiptKeys } from '../consumers.ts';
import { ReceiptKey } from '../signing-keys.ts';
import { vouchForKeys } from '../workflows/vouch-for-keys.ts';

export const handler = runOnSchedule(vouchForReceiptKeys)(({ tables, signingKeys, where, now }) =>
  vouchForKeys({
    dynamo: dynamo(),
    kms: kms(),
    table: tables.PublicKeys,
    environment: where.environment,
    ledgerKeyArns: [signingKeys.LedgerKey, ...earlierKeysOf(where, LedgerKey)],
    receiptKeyArns: [...earlierKeysOf(where, ReceiptKey), signingKeys.ReceiptKey],
    now,
  }),
);

await initialize(vouchForReceiptKeys);
