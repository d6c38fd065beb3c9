import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { GraceEnded } from '../errors.ts';
import { restoreAccount } from '../routes.ts';
import { ownStateOf } from '../rules/statement.ts';
import { lastRecordAt } from '../stores/last-record.ts';
import { tellTakenBack } from '../workflows/notices.ts';
import { takeBack } from '../workflows/own-account.ts';

export const handler = serve(restoreAccount)(async (input) => {
  const { caller, application, environment, now, tables, buckets, queues, fail } = input;
  const { userId } = caller;
  const deps = { s3: s3(), table: tables.Erasures, accounts: tables.Accounts, bucket: buckets.Evidence };
  const done = await takeBack(deps, { environment, businessNow: now }, userId, {
    lastRecordAt: () => lastRecordAt(tables.ConsentStates, userId),
  });
  if (done.outcome === 'too-late') return fail(GraceEnded);
  await tellTakenBack(queues.MailQueue, { userId, application }, done.erasure);
  return ownStateOf(userId, done.erasure, accessSeconds);
});
