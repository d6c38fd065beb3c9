import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { CourseNotFound } from '../errors.ts';
import { readCourse } from '../routes.ts';
import { packageFor } from '../rules/course.ts';
import { shownModule, shownSummary } from '../rules/shown-course.ts';
import { linkTo } from '../stores/course-links.ts';
import { factsAt, readStanding } from '../stores/standing.ts';

export const handler = serveWithPrefetch(readCourse)({
  prefetch: ({ params, caller, tables }) => readStanding({ tables, userId: caller.userId }, params.courseId),
  respond: async ({ query, now, buckets, fail }, standing) => {
    if (!standing) return fail(CourseNotFound);
    const { course, progress, localeAndZone } = standing;
    const facts = factsAt(standing, course, progress, now);
    const wanted = query.locale ?? localeAndZone.locale ?? undefined;
    const locale = chooseLanguage(course.locales, course.defaultLocale, wanted, undefined);
    const programmeId = facts.entitlement?.programmeId ?? null;
    const files = { s3: s3(), bucket: buckets.CourseFiles };
    const modules = course.modules.map(async (module) => {
      const { hasPackage: isDownloadable, ...shown } = shownModule(course, module, facts, progress);
      const name = `${course.courseId}.${module.moduleId}`;
      return {
        ...shown,
        package: isDownloadable ? await linkTo(files, packageFor(module, programmeId), locale, name) : null,
      };
    });
    return { ...shownSummary(course, facts), locale, modules: await Promise.all(modules) };
  },
});
