import { dynamo } from '../../../lib/runtime/clients.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { claimOf } from '../../questionnaire-responses/exports.ts';
import { dueBundle } from '../../questionnaire-responses/rules/due-bundles.ts';
import { occurrencesOf } from '../../questionnaires/rules/bundle.ts';
import { defaultZone, momentIn } from '../../questionnaires/rules/local-date.ts';
import { readProgramme } from '../routes.ts';
import { activeTerms, diaryTask, questionnaireTasks, unitTasks } from '../rules/today.ts';
import { factsAt } from '../stores/standing.ts';
import { readHome } from '../workflows/read-home.ts';

export const handler = serveInSteps(readProgramme)({
  read: ({ caller, tables }) => readHome({ client: dynamo(), tables, userId: caller.userId }),
  answer: async ({ now }, home) => {
    const { place, entitlements, bundles, claims, courses, progress, written, run } = home;
    const zone = place.timezone ?? defaultZone;
    const moment = momentIn(zone, now);
    const today = moment.date;
    const terms = activeTerms(entitlements, now, zone);
    const due = occurrencesOf(bundles, entitlements, zone, run).map((each) =>
      dueBundle(each, new Map(), (id) => claimOf(claims, each.occurrenceId, id), moment),
    );
    const own = new Set(terms.flatMap(({ content }) => content.courseIds));
    const standings = courses
      .filter(({ courseId }) => own.has(courseId))
      .map((course) => {
        const known = progress.get(course.courseId) ?? null;
        return { course, progress: known, facts: factsAt(home, course, known, now) };
      });
    return {
      date: today,
      programmes: terms.map(({ content, ...term }) => ({ ...term, courseIds: [...content.courseIds] })),
      diary: diaryTask(terms, today, written),
      questionnaires: questionnaireTasks(due),
      units: unitTasks(standings),
    };
  },
});
