import { dynamo } from '../../lib/runtime/clients.ts';
import { kms } from '../../lib/runtime/kms.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { publicKeyOf } from '../../lib/runtime/sign.ts';
import { publishKey, readKeys } from './key-store.ts';
import { readSigningKeys } from './routes.ts';

export const handler = serve(readSigningKeys)(async ({ tables, signingKeys }) => {
  // Also before the first receipt, and at once after a rotation.
  await publishKey(dynamo(), tables.SigningKeys, await publicKeyOf(kms(), signingKeys.ReceiptKey));
  return { keys: await readKeys(dynamo(), tables.SigningKeys) };
});
