import { dynamo } from '../../lib/runtime/clients.ts';
import { isUnavailable } from '../../lib/runtime/failure.ts';
import { kms } from '../../lib/runtime/kms.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { publicKeyOf } from '../../lib/runtime/sign.ts';
import { publishKey, readKeys } from './key-store.ts';
import { readSigningKeys } from './routes.ts';

export const handler = serve(readSigningKeys)(async ({ tables, signingKeys }) => {
  // Also before the first receipt, and at once after a rotation.
  const failed = await publicKeyOf(kms(), signingKeys.ReceiptKey).then(
    (jwk) => publishKey(dynamo(), tables.SigningKeys, jwk),
    (error: unknown) => ({ error }),
  );
  const keys = await readKeys(dynamo(), tables.SigningKeys);
  // While KMS is down, the keys of all receipts that there are stand in the table.
  if (failed && !(isUnavailable(failed.error) && keys.length > 0)) throw failed.error;
  return { keys };
});
