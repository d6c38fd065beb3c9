import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import {
  SleepMeasurementNotConfirmed,
  SleepSuspensionNotConfirmed,
  SleepWindowChanged,
  SleepWindowNotDue,
  SleepWindowSuspended,
} from '../errors.ts';
import { releaseSleepWindow } from '../routes.ts';
import { readerLanguage } from '../workflows/reader-language.ts';
import { releaseWindow, replaceWindow } from '../workflows/release-window.ts';
import { shownWindow } from '../workflows/shown-window.ts';

export const handler = serve(releaseSleepWindow)(async ({ params, headers, body, caller, now, tables, fail }) => {
  const { userId } = params;
  const { proposalId = '', replaces, suspensionId = null, minutes, risingTime } = body;
  const asked = {
    userId,
    releasedBy: caller.userId,
    changes: { minutes, risingTime },
    by: 'physician' as const,
    confirmed: body.confirmNotAnswered ?? [],
    now,
  };
  // The body has exactly one of the two.
  const decide = () =>
    replaces === undefined
      ? releaseWindow(tables, { ...asked, proposalId })
      : replaceWindow(tables, { ...asked, replaces, suspensionId });
  try {
    // The patient's account must be open when the window is written.
    const guarded = { table: tables.Accounts, userId };
    const release = await whileOpen(guarded, decide);
    switch (release.refused) {
      case 'suspended':
        return fail(SleepWindowSuspended, { because: [...release.because] });
      case 'changed':
        return fail(SleepWindowChanged, { proposalId: release.proposalId });
      case 'not-due': {
        const { waiting, nights, dueOn } = release.outlook;
        return fail(SleepWindowNotDue, { waitingFor: waiting ?? 'NO_DIARY', nights, dueOn });
      }
      case 'not-confirmed':
        return fail(SleepMeasurementNotConfirmed, { questionnaireIds: [...release.missing] });
      case 'not-seen':
        return fail(SleepSuspensionNotConfirmed, {
          because: [...release.because],
          suspensionId: release.suspensionId,
        });
      case 'physician':
      case 'screening':
        throw new Error(`a physician was refused: ${release.refused}`);
      case null:
        return shownWindow(release.window, readerLanguage(headers['accept-language']));
    }
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return fail(UserNotFound);
    throw error;
  }
});
