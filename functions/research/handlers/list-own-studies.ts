import { serve } from '../../../lib/runtime/serve.ts';
import { readStates } from '../../consents/exports.ts';
import { listOwnStudies } from '../routes.ts';
import { ownStudy } from '../rules/shown.ts';
import { readEnrolmentPage } from '../stores/enrolments.ts';
import { readStudiesOf } from '../stores/studies.ts';

export const handler = serve(listOwnStudies)(async ({ caller: { userId }, account, page, tables }) => {
  const [{ enrolments, next }, consents, { ends }] = await Promise.all([
    readEnrolmentPage(tables.UserEnrolments, userId, page),
    readStates(tables.ConsentStates, userId),
    account(),
  ]);
  const ids = enrolments.map(({ studyId }) => studyId);
  const studies = await readStudiesOf(tables.Studies, ids);
  const items = enrolments.flatMap((enrolment) => {
    const study = studies.get(enrolment.studyId);
    return study ? [ownStudy(study, enrolment, consents.get(enrolment.agreementId) ?? null, ends)] : [];
  });
  return { items, next };
});
