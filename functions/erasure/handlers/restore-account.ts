import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { GraceEnded } from '../errors.ts';
import { restoreAccount } from '../routes.ts';
import { ownStateOf } from '../rules/statement.ts';
import { lastRecordAt } from '../stores/last-record.ts';
import { endSessions } from '../workflows/end-sessions.ts';
import { takeBack } from '../workflows/own-account.ts';

export const handler = serve(restoreAccount)(async ({ caller, environment, now, tables, buckets, userPool, fail }) => {
  const { userId } = caller;
  const places = { table: tables.Erasures, accounts: tables.Accounts, bucket: buckets.Evidence };
  const done = await takeBack({ dynamo: dynamo(), s3: s3(), ...places }, { environment, businessNow: now }, userId, {
    lastRecordAt: () => lastRecordAt(dynamo(), tables.ConsentStates, userId),
    endSessions: () => endSessions({ dynamo: dynamo(), cognito: cognito(), tables, userPool }, userId),
  });
  return done.outcome === 'too-late' ? fail(GraceEnded) : ownStateOf(userId, done.erasure, accessSeconds);
});
