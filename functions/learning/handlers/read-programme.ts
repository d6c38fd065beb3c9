import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { claimOf } from '../../questionnaire-responses/exports.ts';
import { dueBundle } from '../../questionnaire-responses/rules.ts';
import type { LocaleAndZone } from '../../questionnaires/rules.ts';
import { defaultZone, momentIn, occurrencesOf } from '../../questionnaires/rules.ts';
import { type Language, languages, standingOf, type WindowTask, windowTasks } from '../../sleep/rules.ts';
import { isAdult } from '../../users/rules.ts';
import { readProgramme } from '../routes.ts';
import { activeTerms, diaryTask, questionnaireTasks, unitTasks } from '../rules/today.ts';
import { factsAt } from '../stores/standing.ts';
import { readHome } from '../workflows/read-home.ts';

const ofTask = ({ questionnaireIds, ...task }: WindowTask) => ({ ...task, questionnaireIds: [...questionnaireIds] });

/** The profile's, if the header names none. */
function languageOf(acceptLanguage: string | undefined, { locale }: LocaleAndZone): Language {
  return chooseLanguage(languages, 'en', undefined, acceptLanguage ?? locale?.replace('_', '-')) === 'de' ? 'de' : 'en';
}

export const handler = serveWithPrefetch(readProgramme)({
  prefetch: ({ caller, tables }) => readHome({ tables, userId: caller.userId }),
  respond: async ({ headers, now }, home) => {
    const { localeAndZone, user, entitlements, bundles, claims, courses, progress, sleep, run } = home;
    const zone = localeAndZone.timezone ?? defaultZone;
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
    const shown = windowTasks(
      standingOf(sleep, { terms: entitlements, isAdult: isAdult(user, now) }, now),
      languageOf(headers['accept-language'], localeAndZone),
    );
    return {
      date: today,
      programmes: terms.map(({ content, ...term }) => ({ ...term, courseIds: [...content.courseIds] })),
      diary: diaryTask(terms, today, new Set(sleep.nights.map(({ date }) => date))),
      window: shown && { ...shown, tasks: shown.tasks.map(ofTask) },
      questionnaires: questionnaireTasks(due),
      units: unitTasks(standings),
    };
  },
});
