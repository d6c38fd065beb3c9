import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { readOwnErasure } from '../routes.ts';
import { ownStateOf } from '../rules/statement.ts';
import { readErasureRow } from '../stores/erasure-rows.ts';

export const handler = serveWithPrefetch(readOwnErasure)({
  prefetch: ({ caller: { userId }, tables }) => readErasureRow(tables.Erasures, userId),
  respond: async ({ caller: { userId } }, erasure) => ownStateOf(userId, erasure, accessSeconds),
});
