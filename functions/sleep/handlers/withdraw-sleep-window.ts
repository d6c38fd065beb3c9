import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import { SleepWindowChanged } from '../errors.ts';
import { withdrawSleepWindow } from '../routes.ts';
import { withdrawWindow } from '../workflows/release-window.ts';

export const handler = serve(withdrawSleepWindow)(async ({ params, body, caller, now, tables, fail }) => {
  const { userId } = params;
  const asked = { userId, releasedBy: caller.userId, replaces: body.sequence, now };
  try {
    const guarded = { table: tables.Accounts, userId };
    const done = await whileOpen(guarded, () => withdrawWindow(tables, asked));
    if (done.withdrawn === null) return fail(SleepWindowChanged, { proposalId: done.proposalId });
    return { sequence: body.sequence, withdrawnAt: done.withdrawn.releasedAt };
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return fail(UserNotFound);
    throw error;
  }
});
