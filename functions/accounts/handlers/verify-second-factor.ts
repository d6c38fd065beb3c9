import { Unauthenticated } from '../../../lib/contract/common-errors.ts';
import { cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { mailTo } from '../../mail/exports.ts';
import { verifySecondFactor } from '../routes.ts';
import { finishSetUp } from '../stores/user-pool.ts';

export const handler = serveWithoutTables(verifySecondFactor)(async (input) => {
  const { body, accessToken, caller, application, queues } = input;
  if (!accessToken) throw new Failure(Unauthenticated);
  await finishSetUp(cognitoOnce(), accessToken, body.code);
  const to = { userId: caller.userId };
  await mailTo(queues.MailQueue, { kind: 'second-factor-changed', application, to, locale: null, data: {} });
  return { enabled: true as const };
});
