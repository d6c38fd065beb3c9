import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { readOwnErasure } from '../routes.ts';
import { ownStateOf } from '../rules/statement.ts';
import { readErasureRow } from '../stores/erasure-rows.ts';

export const handler = serveInSteps(readOwnErasure)({
  read: ({ caller: { userId }, tables }) => readErasureRow(tables.Erasures, userId),
  answer: async ({ caller: { userId } }, erasure) => ownStateOf(userId, erasure, accessSeconds),
});
