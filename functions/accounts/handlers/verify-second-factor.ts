import { Unauthenticated } from '../../../lib/contract/common-errors.ts';
import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { mailTo } from '../../mail/exports.ts';
import { verifySecondFactor } from '../routes.ts';
import { finishSetUp, prefer } from '../stores/user-pool.ts';

export const handler = serveWithoutTables(verifySecondFactor)(async (input) => {
  const { body, accessToken, caller, application, queues } = input;
  if (!accessToken) throw new Failure(Unauthenticated);
  await finishSetUp(cognitoOnce(), accessToken, body.code);
  const to = { userId: caller.userId };
  // Before the change: the code works once, so that a repetition would not come this far. A notice too many is better than none.
  await mailTo(queues.MailQueue, { kind: 'second-factor-changed', application, to, locale: null, data: {} });
  await prefer(cognito(), accessToken, true);
  return { enabled: true as const };
});
