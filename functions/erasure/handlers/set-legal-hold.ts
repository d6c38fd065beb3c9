import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import { ConsentsReleased } from '../errors.ts';
import { setLegalHold } from '../routes.ts';
import { stateOf } from '../rules/statement.ts';
import { placeHold, readKnown } from '../workflows/change-legal-hold.ts';

export const handler = serveWithPrefetch(setLegalHold)({
  prefetch: ({ params, tables }) => readKnown(tables, params.userId),
  respond: async (input, known) => {
    const { params, body, caller, application, requestId, tables, buckets, fail } = input;
    const { userId } = params;
    const deps = { s3: s3(), table: tables.Erasures, bucket: buckets.Evidence };
    const done = await placeHold(
      { deps, tables, userId, by: caller.userId, application, requestId, realNow: new Date(), known },
      body.reason,
    );
    if (done.outcome === 'unknown-user') return fail(UserNotFound);
    if (done.outcome === 'released') return fail(ConsentsReleased);
    return stateOf(userId, done.erasure, accessSeconds);
  },
});
