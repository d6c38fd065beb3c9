import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import { liftLegalHold } from '../routes.ts';
import { stateOf } from '../rules/statement.ts';
import { liftHold, readKnown } from '../workflows/change-legal-hold.ts';

export const handler = serveWithPrefetch(liftLegalHold)({
  prefetch: ({ params, tables }) => readKnown(tables, params.userId),
  respond: async (input, known) => {
    const { params, caller, application, requestId, tables, buckets, fail } = input;
    const { userId } = params;
    const deps = { s3: s3(), table: tables.Erasures, bucket: buckets.Evidence };
    const by = { by: caller.userId, application, requestId, realNow: new Date(), known };
    const done = await liftHold({ deps, tables, userId, ...by });
    return done.outcome === 'done' ? stateOf(userId, done.erasure, accessSeconds) : fail(UserNotFound);
  },
});
