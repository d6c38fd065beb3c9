import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { UnitLocked, UnitNotFound } from '../errors.ts';
import { readUnit } from '../routes.ts';
import { courseOfUnit, textFor } from '../rules/course.ts';
import { shownProgress, unitIn } from '../rules/progress.ts';
import { asked } from '../rules/quiz.ts';
import { unitWithLocks } from '../rules/shown-course.ts';
import { linkTo } from '../stores/course-links.ts';
import { readResult } from '../stores/quiz-results.ts';
import { factsAt, readStanding } from '../stores/standing.ts';

export const handler = serveWithPrefetch(readUnit)({
  prefetch: ({ params, caller, tables }) =>
    readStanding({ tables, userId: caller.userId }, courseOfUnit(params.unitId)),
  respond: async ({ params, query, now, tables, buckets, fail }, standing) => {
    if (!standing) return fail(UnitNotFound);
    const { course, progress, localeAndZone } = standing;
    const { courseId, version } = course;
    const facts = factsAt(standing, course, progress, now);
    const found = unitWithLocks(course, params.unitId, facts);
    if (!found) return fail(UnitNotFound);
    const { module, unit, lockedBy } = found;
    if (lockedBy.length > 0) return fail(UnitLocked, { lockedBy });
    const { unitId, type, title, minutes, questions } = unit;
    const wanted = query.locale ?? localeAndZone.locale ?? undefined;
    const locale = chooseLanguage(course.locales, course.defaultLocale, wanted, undefined);
    const files = { s3: s3(), bucket: buckets.CourseFiles };
    const programmeId = facts.entitlement?.programmeId ?? null;
    const known = unitIn(progress, unitId);
    const [text, media, subtitles, result] = await Promise.all([
      linkTo(files, textFor(unit, programmeId), locale, unitId),
      linkTo(files, unit.media, locale, unitId),
      linkTo(files, unit.subtitles, locale, unitId),
      readResult(tables.Courses, known),
    ]);
    return {
      ...{ unitId, courseId, moduleId: module.moduleId, version, type, title, minutes, locale },
      programmeId: unit.variants ? programmeId : null,
      ...{ text, media, subtitles, questions: questions.map(asked), result },
      progress: known && shownProgress(courseId, known),
    };
  },
});
