import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readOwnErasure } from '../routes.ts';
import { ownStateOf } from '../rules/statement.ts';
import { readErasureRow } from '../stores/erasure-rows.ts';

export const handler = serve(readOwnErasure)(async ({ caller: { userId }, tables }) => {
  return ownStateOf(userId, await readErasureRow(dynamo(), tables.Erasures, userId), accessSeconds);
});

await initialize(readOwnErasure);
