import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { deletionGraceDays } from '../../product.ts';
import { UserNotFound } from '../../users/errors.ts';
import { readProfile } from '../../users/exports.ts';
import { TooManyErasureRequests } from '../errors.ts';
import { requestErasureOf } from '../routes.ts';
import { stateOf } from '../rules/statement.ts';
import { auditRequest } from '../stores/audit-request.ts';
import { lastRecordAt } from '../stores/last-record.ts';
import { endSessions } from '../workflows/end-sessions.ts';
import { tellRequested } from '../workflows/notices.ts';
import { requestAndSettle } from '../workflows/own-account.ts';

export const handler = serve(requestErasureOf)(async (input) => {
  const { params, caller, application, environment, now, requestId, tables, buckets, queues, userPool, fail } = input;
  const user = await readProfile(tables.Users, params.userId);
  if (user?.application !== 'sleepcare') return fail(UserNotFound);
  const { userId } = user;
  // Before the request: a request that cannot be audited is not made, and one that fails halfway has its audit event.
  await auditRequest(tables.AuditEvents, { userId, application, actor: caller.userId, requestId });
  const deps = { s3: s3(), table: tables.Erasures, closing: tables.Accounts, bucket: buckets.Evidence };
  const asked = { userId, application: user.application, graceDays: deletionGraceDays[environment] };
  const account = { userId, application: 'sleepcare' } as const;
  const done = await requestAndSettle(deps, now, asked, {
    lastRecordAt: () => lastRecordAt(tables.ConsentStates, userId),
    endSessions: () => endSessions({ cognito: cognito(), tables, userPool }, userId),
    tell: (erasure) => tellRequested(queues.MailQueue, 'deletion-requested-for-you', account, erasure),
  });
  if (done.outcome === 'too-many') return fail(TooManyErasureRequests);
  return stateOf(userId, done.erasure, accessSeconds);
});
