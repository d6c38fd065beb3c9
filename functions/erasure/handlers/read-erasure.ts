import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import { readErasure } from '../routes.ts';
import { stateOf } from '../rules/statement.ts';
import { readErasureRow } from '../stores/erasure-rows.ts';
import { applicationOf } from '../stores/known-users.ts';

export const handler = serveWithPrefetch(readErasure)({
  prefetch: ({ params: { userId }, tables }) =>
    Promise.all([readErasureRow(tables.Erasures, userId), applicationOf(tables, userId)]),
  respond: async ({ params: { userId }, fail }, [erasure, application]) =>
    !erasure && application === undefined ? fail(UserNotFound) : stateOf(userId, erasure, accessSeconds),
});
