import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { UserNotFound } from '../../users/errors.ts';
import { readErasure } from '../routes.ts';
import { stateOf } from '../rules/statement.ts';
import { readErasureRow } from '../stores/erasure-rows.ts';
import { applicationOf } from '../stores/known-users.ts';

export const handler = serveInSteps(
  readErasure,
  lambdaWithAccess,
)({
  read: ({ params: { userId }, tables }) =>
    Promise.all([readErasureRow(tables.Erasures, userId), applicationOf(tables, userId)]),
  answer: async ({ params: { userId }, fail }, [erasure, application]) =>
    !erasure && application === undefined ? fail(UserNotFound) : stateOf(userId, erasure, accessSeconds),
});
