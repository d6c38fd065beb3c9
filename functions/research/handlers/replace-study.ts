import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { studyReplaced } from '../audit-actions.ts';
import { StudyAgreementUnfit, StudyFrozen, StudyNotFound } from '../errors.ts';
import { replaceStudy } from '../routes.ts';
import { studyForStaff } from '../rules/shown.ts';
import { canBecome, collectedBy } from '../rules/study.ts';
import { describeStudy } from '../workflows/change-study.ts';
import { isFit } from '../workflows/make-study.ts';

export const handler = serve(replaceStudy)(
  async ({ params, headers, body, caller, application, requestId, tables, fail }) => {
    const isFitting = await isFit(tables.Agreements, body.agreementId);
    const study = await describeStudy(
      tables,
      {
        ...params,
        ifMatch: headers['if-match'],
        action: studyReplaced,
        next: (before) => {
          if (!canBecome(before, body)) return StudyFrozen;
          if (!isFitting) return StudyAgreementUnfit;
          return { ...before, title: body.title, ...collectedBy(body) };
        },
      },
      { application, actor: caller.userId, requestId, realNow: new Date() },
    );
    return study ? { etag: etagOf(study.revision), body: studyForStaff(study) } : fail(StudyNotFound);
  },
);
