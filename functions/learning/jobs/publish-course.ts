import type { S3Client } from '@aws-sdk/client-s3';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { currentVersions } from '../../questionnaires/exports.ts';
import type { Questionnaires } from '../../questionnaires/tables.ts';
import {
  type ByLocale,
  editionsOf,
  type Module,
  type Packages,
  type PublishedCourse,
  questionnairesIn,
  type StoredFile,
  textFor,
  type Unit,
} from '../rules/course.ts';
import { asked } from '../rules/quiz.ts';
import { keepFile } from '../stores/course-files.ts';
import { contentBytes, longestContent, type Publication, putVersion } from '../stores/course-rows.ts';
import { packed } from '../stores/package.ts';
import type { Courses } from '../tables.ts';
import type { CourseDraft } from './course-folder.ts';
import { type LocalFile, sha256Of } from './folder-files.ts';

/** Brings a course into a stage: its files first, then its version in one transaction, so that no version lacks a file. */

export type PublishDependencies = {
  readonly s3: S3Client;
  readonly bucket: string;
  readonly tables: {
    readonly Courses: Courses<'get' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
    readonly Questionnaires: Questionnaires<'query'>;
  };
};

/** A line for what was done. @throws an Error where the version is published with other content, or waits for a questionnaire that is not published */
export async function publishCourse(
  deps: PublishDependencies,
  draft: CourseDraft,
  occasion: Publication['occasion'],
): Promise<string> {
  const { courseId, version } = draft;
  const unknown = await unknownQuestionnaires(deps, draft);
  if (unknown.length > 0)
    throw new Error(`${courseId}: a rule waits for content that is not published: ${unknown.join(', ')}`);
  const keep = keeperOf(deps);
  const modules = await mapWithConcurrency(draft.modules, 1, async (module) => ({
    ...(await storedModule(keep, module)),
    packages: await storedPackages(keep, draft, module),
  }));
  const course: PublishedCourse = { ...draft, modules, publishedAt: occasion.realNow.toISOString() };
  const bytes = contentBytes(course);
  if (bytes > longestContent) throw new Error(`${courseId}: ${bytes} bytes, and ${longestContent} at most`);
  const published = await putVersion(deps.tables, { course, occasion });
  if (!published) throw new Error(`${courseId} ${version} is published with other content: name a new version`);
  return `${courseId} ${version}: published ${published.publishedAt}`;
}

/** A unit that waits for one that nobody can answer is never unlocked. */
async function unknownQuestionnaires({ tables }: PublishDependencies, draft: CourseDraft): Promise<string[]> {
  const named = questionnairesIn(draft);
  const published = named.length > 0 ? await currentVersions(tables.Questionnaires) : new Map();
  return named.filter((questionnaireId) => !published.has(questionnaireId));
}

/** What would be published, one line for each thing, and what only a stage can check. */
export function previewOf(course: CourseDraft): string[] {
  const { courseId, version, locales, modules } = course;
  const named = questionnairesIn(course);
  const lines = modules.flatMap(({ moduleId, units }) => [
    `  module ${moduleId}`,
    ...units.map(({ unitId, type, minutes, questions }) => {
      const asks = questions.length > 0 ? `, ${questions.length} questions` : '';
      return `    ${unitId}: ${type}, ${minutes} minutes${asks}`;
    }),
  ]);
  const unchecked =
    named.length > 0 ? [`  whether the stage has the questionnaires is not checked: ${named.join(', ')}`] : [];
  return [`${courseId} ${version} in ${locales.join(', ')}: nothing is published`, ...lines, ...unchecked];
}

type File = Omit<LocalFile, 'name'>;
type Keep = (file: File) => Promise<StoredFile>;

/** A file that several languages or units have is put once. */
function keeperOf(deps: PublishDependencies): Keep {
  const kept = new Map<string, Promise<StoredFile>>();
  return (file) => {
    const key = `${file.sha256}${file.extension}`;
    const known = kept.get(key) ?? keepFile(deps, file);
    kept.set(key, known);
    return known;
  };
}

async function storedModule(keep: Keep, { units, ...module }: Module<LocalFile>): Promise<Module> {
  const stored = await mapWithConcurrency(units, 4, async ({ text, variants, media, subtitles, ...unit }) => ({
    ...unit,
    text: await keptFiles(keep, text),
    variants: variants && (await keptVariants(keep, variants)),
    media: await keptFiles(keep, media),
    subtitles: await keptFiles(keep, subtitles),
  }));
  return { ...module, units: stored };
}

async function keptFiles(keep: Keep, files: ByLocale<LocalFile> | null): Promise<ByLocale<StoredFile> | null> {
  if (!files) return null;
  const kept = await mapWithConcurrency(
    Object.entries(files),
    4,
    async ([locale, file]) => [locale, await keep(file)] as const,
  );
  return Object.fromEntries(kept);
}

async function keptVariants(keep: Keep, variants: NonNullable<Unit<LocalFile>['variants']>) {
  const kept: [string, ByLocale<StoredFile>][] = [];
  for (const [programmeId, files] of Object.entries(variants)) {
    kept.push([programmeId, (await keptFiles(keep, files)) ?? {}]);
  }
  return Object.fromEntries(kept);
}

/** One after the other: a package is in memory as a whole. */
async function storedPackages(keep: Keep, course: CourseDraft, module: Module<LocalFile>): Promise<Packages[]> {
  const { courseId, version, locales } = course;
  return mapWithConcurrency(editionsOf(course, module), 1, async (programmeId) => {
    const stored = await mapWithConcurrency(locales, 1, async (locale) => {
      const bytes = packed(packageFiles({ courseId, version, programmeId, locale }, module));
      const contentType = 'application/zip';
      return [locale, await keep({ bytes, contentType, extension: '.zip', sha256: sha256Of(bytes) })] as const;
    });
    return { programmeId, files: Object.fromEntries(stored) };
  });
}

type Edition = {
  readonly courseId: string;
  readonly version: string;
  readonly programmeId: string | null;
  readonly locale: string;
};

/** `module.json` says which file is what, and by which rules units are unlocked. The right answers are not in it. */
function packageFiles(about: Edition, module: Module<LocalFile>) {
  const { locale, programmeId } = about;
  const texts = module.units.map((unit) => textFor(unit, programmeId)?.[locale]);
  const units = module.units.map(
    ({ text: _text, variants: _variants, media, subtitles, questions, ...unit }, index) => ({
      ...unit,
      text: texts[index]?.name ?? null,
      media: media?.[locale]?.name ?? null,
      subtitles: subtitles?.[locale]?.name ?? null,
      questions: questions.map(asked),
    }),
  );
  const { moduleId, title, unlock } = module;
  const index = JSON.stringify({ ...about, moduleId, title, unlock, units }, null, 2);
  const files = module.units.flatMap(({ media, subtitles }, deps) => [
    ...(texts[deps] ? [texts[deps]] : []),
    ...[media, subtitles].flatMap((each) => each?.[locale] ?? []),
  ]);
  return [{ name: 'module.json', bytes: Buffer.from(index) }, ...new Set(files)];
}
