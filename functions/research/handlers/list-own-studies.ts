import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { readStates } from '../../consents/exports.ts';
import { listOwnStudies } from '../routes.ts';
import { ownStudy } from '../rules/shown.ts';
import { readEnrolmentPage } from '../stores/enrolments.ts';
import { readStudiesOf } from '../stores/studies.ts';

export const handler = servePages(
  listOwnStudies,
  lambdaWithClock,
)(async ({ caller: { userId }, account, page, tables }) => {
  const { limit } = page;
  const after = page.after ? String(page.after.studyId) : null;
  const [{ enrolments, next }, consents, { ends }] = await Promise.all([
    readEnrolmentPage(tables.UserEnrolments, userId, { limit, after }),
    readStates(tables.ConsentStates, userId),
    account(),
  ]);
  const ids = enrolments.map(({ studyId }) => studyId);
  const studies = await readStudiesOf(tables.Studies, ids);
  const items = enrolments.flatMap((enrolment) => {
    const study = studies.get(enrolment.studyId);
    return study ? [ownStudy(study, enrolment, consents.get(enrolment.agreementId) ?? null, ends)] : [];
  });
  return { items, next: next === null ? null : { studyId: next } };
});
