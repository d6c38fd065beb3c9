import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { studyMoved } from '../audit-actions.ts';
import { StudyNotFound, StudyTransitionRefused } from '../errors.ts';
import { transitionStudy } from '../routes.ts';
import { studyForStaff } from '../rules/shown.ts';
import { transitions } from '../rules/study.ts';
import { changeStudy } from '../workflows/change-study.ts';

export const handler = serve(transitionStudy)(
  async ({ params, headers, body: { to }, caller, application, requestId, tables, fail }) => {
    const study = await changeStudy(
      tables,
      {
        ...params,
        ifMatch: headers['if-match'],
        action: studyMoved,
        next: (before) => (transitions[before.state].includes(to) ? { ...before, state: to } : StudyTransitionRefused),
      },
      { application, actor: caller.userId, requestId, realNow: new Date() },
    );
    return study ? { etag: etagOf(study.revision), body: studyForStaff(study) } : fail(StudyNotFound);
  },
);
