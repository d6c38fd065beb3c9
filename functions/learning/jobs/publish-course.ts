import type { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import type { ByLocale, Module, PublishedCourse, StoredFile } from '../rules/course.ts';
import { asked } from '../rules/quiz.ts';
import { keepFile } from '../stores/course-files.ts';
import { longestContent, type Publication, putVersion } from '../stores/course-rows.ts';
import { packed } from '../stores/package.ts';
import { type CourseDraft, type LocalFile, sha256Of } from './course-folder.ts';

/** Brings a course into a stage: its files first, then its version in one transaction, so that no version lacks a file. */

export type Place = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly s3: S3Client;
  readonly bucket: string;
  readonly tables: { readonly Courses: string; readonly AuditEvents: string };
};

/** A line for what was done. @throws an Error where the version is published with other content */
export async function publishCourse(
  place: Place,
  draft: CourseDraft,
  occasion: Publication['occasion'],
): Promise<string> {
  const { courseId, version } = draft;
  const keep = keeperOf(place);
  const modules = await mapWithConcurrency(draft.modules, 1, async (module) => ({
    ...(await storedModule(keep, module)),
    packages: await storedPackages(keep, draft, module),
  }));
  const course: PublishedCourse = { ...draft, modules, publishedAt: occasion.realNow.toISOString() };
  const { length } = JSON.stringify(course);
  if (length > longestContent) throw new Error(`${courseId}: ${length} characters, and ${longestContent} at most`);
  const published = await putVersion(place.dynamo, place.tables, { course, occasion });
  if (!published) throw new Error(`${courseId} ${version} is published with other content: name a new version`);
  return `${courseId} ${version}: published ${published.publishedAt}`;
}

/** What would be published, a line for each thing. */
export function told({ courseId, version, locales, modules }: CourseDraft): string[] {
  const lines = modules.flatMap(({ moduleId, units }) => [
    `  module ${moduleId}`,
    ...units.map(({ unitId, type, minutes, questions }) => {
      const asks = questions.length > 0 ? `, ${questions.length} questions` : '';
      return `    ${unitId}: ${type}, ${minutes} minutes${asks}`;
    }),
  ]);
  return [`${courseId} ${version} in ${locales.join(', ')}: nothing is published`, ...lines];
}

type File = Omit<LocalFile, 'name'>;
type Keep = (file: File) => Promise<StoredFile>;

/** A file that several languages or units have is put once. */
function keeperOf(place: Place): Keep {
  const kept = new Map<string, Promise<StoredFile>>();
  return (file) => {
    const key = `${file.sha256}${file.extension}`;
    const known = kept.get(key) ?? keepFile(place, file);
    kept.set(key, known);
    return known;
  };
}

async function storedModule(keep: Keep, { units, ...module }: Module<LocalFile>): Promise<Module> {
  const stored = await mapWithConcurrency(units, 4, async ({ text, media, subtitles, ...unit }) => ({
    ...unit,
    text: await keptFiles(keep, text),
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

/** One after the other: a package is in memory as a whole. */
async function storedPackages(
  keep: Keep,
  { courseId, version, locales }: CourseDraft,
  module: Module<LocalFile>,
): Promise<ByLocale<StoredFile>> {
  const stored = await mapWithConcurrency(locales, 1, async (locale) => {
    const bytes = packed(packageFiles({ courseId, version, locale }, module));
    const contentType = 'application/zip';
    return [locale, await keep({ bytes, contentType, extension: '.zip', sha256: sha256Of(bytes) })] as const;
  });
  return Object.fromEntries(stored);
}

/** `module.json` says which file is what, and by which rules units are unlocked. The right answers are not in it. */
function packageFiles(about: { courseId: string; version: string; locale: string }, module: Module<LocalFile>) {
  const { locale } = about;
  const units = module.units.map(({ text, media, subtitles, questions, ...unit }) => ({
    ...unit,
    text: text?.[locale]?.name ?? null,
    media: media?.[locale]?.name ?? null,
    subtitles: subtitles?.[locale]?.name ?? null,
    questions: questions.map(asked),
  }));
  const { moduleId, title, unlock } = module;
  const index = JSON.stringify({ ...about, moduleId, title, unlock, units }, null, 2);
  const files = module.units.flatMap(({ text, media, subtitles }) =>
    [text, media, subtitles].flatMap((each) => each?.[locale] ?? []),
  );
  return [{ name: 'module.json', bytes: Buffer.from(index) }, ...new Set(files)];
}
