import { serve } from '../../../lib/runtime/serve.ts';
import {
  SleepMeasurementNeeded,
  SleepScreeningNeeded,
  SleepWindowByPhysician,
  SleepWindowChanged,
  SleepWindowNotDue,
  SleepWindowSuspended,
} from '../errors.ts';
import { releaseOwnSleepWindow } from '../routes.ts';
import { currentRules } from '../rules/window-rules.ts';
import { readerLanguage } from '../workflows/reader-language.ts';
import { releaseWindow } from '../workflows/release-window.ts';
import { shownWindow } from '../workflows/shown-window.ts';

export const handler = serve(releaseOwnSleepWindow)(async ({ body, headers, caller, now, tables, fail }) => {
  const release = await releaseWindow(tables, {
    userId: caller.userId,
    releasedBy: caller.userId,
    proposalId: body.proposalId,
    changes: {},
    by: 'screening',
    confirmed: [],
    now,
  });
  switch (release.refused) {
    case 'suspended':
      return fail(SleepWindowSuspended, { because: [...release.because] });
    case 'physician':
      return fail(SleepWindowByPhysician, { because: [...release.because] });
    case 'screening': {
      const { questionnaireId, version } = currentRules.screening;
      return release.because.includes('SCREENING_NEEDED')
        ? fail(SleepScreeningNeeded, { questionnaireId, version })
        : fail(SleepMeasurementNeeded, { questionnaireIds: [...release.missing] });
    }
    case 'changed':
      return fail(SleepWindowChanged, { proposalId: release.proposalId });
    case 'not-due': {
      const { waiting, nights, dueOn } = release.outlook;
      return fail(SleepWindowNotDue, { waitingFor: waiting ?? 'NO_DIARY', nights, dueOn });
    }
    case 'not-confirmed':
    case 'not-seen':
      throw new Error('a patient confirms nothing');
    case null:
      return shownWindow(release.window, readerLanguage(headers['accept-language']));
  }
});
