import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { deletionGraceDays } from '../../product.ts';
import { TooManyErasureRequests } from '../errors.ts';
import { requestErasure } from '../routes.ts';
import { ownStateOf } from '../rules/statement.ts';
import { lastRecordAt } from '../stores/last-record.ts';
import { endSessions } from '../workflows/end-sessions.ts';
import { tellRequested } from '../workflows/notices.ts';
import { requestAndSettle } from '../workflows/own-account.ts';

export const handler = serve(requestErasure)(async (input) => {
  const { caller, application, environment, now, tables, buckets, queues, userPool, fail } = input;
  const { userId } = caller;
  const deps = { s3: s3(), table: tables.Erasures, closing: tables.Accounts, bucket: buckets.Evidence };
  const asked = { userId, application, graceDays: deletionGraceDays[environment] };
  const done = await requestAndSettle(deps, now, asked, {
    lastRecordAt: () => lastRecordAt(tables.ConsentStates, userId),
    endSessions: () => endSessions({ cognito: cognito(), tables, userPool }, userId),
    tell: (erasure) => tellRequested(queues.MailQueue, 'deletion-requested', asked, erasure),
  });
  if (done.outcome === 'too-many') return fail(TooManyErasureRequests);
  return ownStateOf(userId, done.erasure, accessSeconds);
});
