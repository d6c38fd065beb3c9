import { Unauthenticated } from '../../../lib/contract/common-errors.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { mailTo } from '../../mail/exports.ts';
import { removeSecondFactor } from '../routes.ts';
import { prefer } from '../stores/user-pool.ts';

export const handler = serveWithoutTables(removeSecondFactor)(async ({ accessToken, caller, application, queues }) => {
  if (!accessToken) throw new Failure(Unauthenticated);
  const to = { userId: caller.userId };
  // Before the change: a thief would not ask again for the sake of the notice.
  await mailTo(queues.MailQueue, { kind: 'second-factor-changed', application, to, locale: null, data: {} });
  await prefer(cognito(), accessToken, false);
  return { enabled: false as const };
});
