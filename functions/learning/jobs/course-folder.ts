import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import * as z from 'zod/mini';
import { Locale, oneLine, visibleLines, wellFormed } from '../../../lib/contract/fields.ts';
import { type ByLocale, type Course, type Module, type Unlock, unitIdOf, unitTypes } from '../rules/course.ts';
import { type CourseProblem, courseProblems } from '../rules/course-problems.ts';
import { lineOf, linesOf } from '../rules/json-lines.ts';
import { markdownFaults } from '../rules/markdown.ts';

/** A course as a folder: `course.json`, `units/<unit>.<locale>.md`, and the media that course.json names. */

export type Fault = { readonly file: string; readonly line: number; readonly message: string };

export type LocalFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly extension: string;
  readonly sha256: string;
};

export type CourseDraft = Course<LocalFile, Module<LocalFile>>;

/** Read whole, as packages are made of them. */
export const mostBytes = 100 * 1024 * 1024;

/** No type that a browser runs scripts of. */
const contentTypes: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
  '.mp4': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.mp3': 'audio/mpeg',
};

const name = (length: number) =>
  z.string().check(z.regex(new RegExp(`^[a-z0-9][a-z0-9-]{0,${length - 1}}$`), `must be 1 to ${length} of a-z 0-9 -`));
const Name = name(31);
const Id = z.string().check(z.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -'));
const Texts = z.record(Locale, z.string().check(z.maxLength(1000), wellFormed, visibleLines));
const Titles = z.record(Locale, z.string().check(z.maxLength(200), wellFormed, visibleLines, oneLine));
const Path = z.string().check(z.regex(/^media\/[A-Za-z0-9_-][A-Za-z0-9._-]*$/, 'must be a file of the folder media'));
const Paths = z.record(Locale, Path);

const Rule: z.ZodMiniType<Unlock> = z.lazy(() =>
  z.union(
    [
      z.strictObject({ after: Name }),
      z.strictObject({ day: z.int().check(z.gte(0), z.lte(3650)) }),
      z.strictObject({ questionnaire: Id }),
      z.strictObject({ all: z.array(Rule).check(z.minLength(1), z.maxLength(20)) }),
      z.strictObject({ any: z.array(Rule).check(z.minLength(1), z.maxLength(20)) }),
    ],
    'must be {"after": unit}, {"day": number}, {"questionnaire": id}, {"all": rules} or {"any": rules}',
  ),
);

const QuizQuestion = z.strictObject({
  questionId: Name,
  text: Texts,
  options: z
    .array(z.strictObject({ value: Name, text: Texts, isCorrect: z.boolean() }))
    .check(z.minLength(2), z.maxLength(10)),
  explanation: Texts,
});

const CourseFile = z.strictObject({
  courseId: Name,
  version: Id,
  title: Titles,
  description: Texts,
  defaultLocale: Locale,
  locales: z.array(Locale).check(z.minLength(1), z.maxLength(20)),
  requiresEntitlement: z.boolean(),
  modules: z
    .array(
      z.strictObject({
        moduleId: Name,
        title: Titles,
        unlock: z.optional(Rule),
        units: z
          .array(
            z.strictObject({
              unitId: Name,
              type: z.enum(unitTypes),
              title: Titles,
              minutes: z.int().check(z.gte(1), z.lte(600)),
              unlock: z.optional(Rule),
              media: z.optional(Paths),
              subtitles: z.optional(Paths),
              questions: z.optional(z.array(QuizQuestion).check(z.maxLength(20))),
            }),
          )
          .check(z.minLength(1), z.maxLength(50)),
      }),
    )
    .check(z.minLength(1), z.maxLength(20)),
});

type Index = z.output<typeof CourseFile>;

/** So that a user's row of a course stays far below the 400 KB that DynamoDB takes. */
const most = { units: 100, questions: 200 } as const;

export type ReadFolder =
  | { readonly course: CourseDraft; readonly faults: readonly [] }
  | { readonly course: null; readonly faults: readonly Fault[] };

/** Reads and checks a folder. All that is wrong is found at once, each with its file and line. */
export async function readCourseFolder(folder: string): Promise<ReadFolder> {
  const file = 'course.json';
  const text = await readFile(join(folder, file), 'utf8').catch(() => null);
  if (text === null) return { course: null, faults: [{ file, line: 1, message: 'is not there' }] };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { course: null, faults: [{ file, ...syntaxFault(error, text) }] };
  }
  const lines = linesOf(text);
  const faultAt = ({ path, message }: CourseProblem): Fault => ({
    file,
    line: lineOf(lines, path),
    message: path === '' ? message : `${path} ${message}`,
  });
  const read = z.safeParse(CourseFile, parsed);
  if (!read.success) {
    return {
      course: null,
      faults: read.error.issues.map(({ path, message }) => faultAt({ path: z.core.toDotPath(path), message })),
    };
  }
  const files = await readFiles(folder, read.data);
  const course = draftOf(read.data, files.found);
  const faults = [...courseProblems(course), ...sizeProblems(course)].map(faultAt);
  const all = [...faults, ...files.faults];
  return all.length > 0 ? { course: null, faults: all } : { course, faults: [] };
}

function syntaxFault(error: unknown, text: string): Omit<Fault, 'file'> {
  const message = error instanceof Error ? error.message : String(error);
  const [, position] = /position (\d+)/.exec(message) ?? [];
  const before = position === undefined ? text : text.slice(0, Number(position));
  return { line: before.split('\n').length, message: `is no JSON: ${message}` };
}

function sizeProblems(course: CourseDraft): CourseProblem[] {
  const units = course.modules.flatMap((module) => module.units);
  const questions = units.flatMap((unit) => unit.questions).length;
  return [
    ...(units.length > most.units ? [{ path: 'modules', message: `have more than ${most.units} units` }] : []),
    ...(questions > most.questions ? [{ path: 'modules', message: `have more than ${most.questions} questions` }] : []),
  ];
}

type Files = { readonly found: ReadonlyMap<string, LocalFile>; readonly faults: Fault[] };

/** Those of the folders `units` and `media`: each is used by something, and what is used is there. */
async function readFiles(folder: string, index: Index): Promise<Files> {
  const wanted = new Set(index.modules.flatMap(({ units }) => units.flatMap((unit) => namesFor(unit, index.locales))));
  const isOptional = new Set(
    index.modules.flatMap(({ units }) =>
      units.filter(({ type }) => type !== 'text').flatMap(({ unitId }) => textNames(unitId, index.locales)),
    ),
  );
  const found = new Map<string, LocalFile>();
  const faults: Fault[] = [];
  const add = (file: string, line: number, message: string) => faults.push({ file, line, message });
  for (const file of (await Promise.all(['units', 'media'].map((room) => namesIn(folder, room)))).flat()) {
    if (!wanted.has(file)) {
      add(file, 1, 'is used by no unit in no language of the course');
      continue;
    }
    const bytes = await readFile(join(folder, file));
    const extension = extname(file);
    const contentType = contentTypes[extension];
    if (!contentType) add(file, 1, `must end on ${Object.keys(contentTypes).join(', ')}`);
    else if (bytes.length > mostBytes) add(file, 1, `has ${bytes.length} bytes, and ${mostBytes} at most`);
    else if (bytes.length === 0) add(file, 1, 'is empty');
    else found.set(file, { name: file, bytes, contentType, extension, sha256: sha256Of(bytes) });
    if (extension === '.md') {
      for (const { line, message } of markdownFaults(bytes.toString('utf8'))) add(file, line, `has ${message}`);
    }
    if (extension === '.vtt' && !/^\ufeff?WEBVTT(?:[ \t\r\n]|$)/.test(bytes.toString('utf8'))) {
      add(file, 1, 'is no WebVTT: it must begin with WEBVTT');
    }
  }
  const seen = new Set([...found.keys(), ...faults.map(({ file }) => file)]);
  for (const file of wanted) if (!seen.has(file) && !isOptional.has(file)) add(file, 1, 'is not there');
  for (const { unitId } of index.modules.flatMap(({ units }) => units)) {
    const texts = textNames(unitId, index.locales);
    if (!texts.every((text) => isOptional.has(text)) || !texts.some((text) => seen.has(text))) continue;
    for (const text of texts) if (!seen.has(text)) add(text, 1, 'is not there, and is in another language');
  }
  return { found, faults };
}

async function namesIn(folder: string, room: string): Promise<string[]> {
  const entries = await readdir(join(folder, room)).catch(() => []);
  return entries.toSorted().map((entry) => `${room}/${entry}`);
}

function textNames(unitId: string, locales: readonly string[]): string[] {
  return locales.map((locale) => `units/${unitId}.${locale}.md`);
}

function namesFor({ unitId, media, subtitles }: Index['modules'][number]['units'][number], locales: readonly string[]) {
  return [...textNames(unitId, locales), ...Object.values(media ?? {}), ...Object.values(subtitles ?? {})];
}

function draftOf({ modules, ...index }: Index, files: ReadonlyMap<string, LocalFile>): CourseDraft {
  // What is not there is a fault of its own, and nothing of the course is used then.
  const absent = (file: string) => ({
    name: file,
    bytes: new Uint8Array(),
    contentType: '',
    extension: '',
    sha256: '',
  });
  const named = (names: Readonly<Record<string, string>> | undefined) =>
    names
      ? Object.fromEntries(
          Object.entries(names).map(([locale, file]) => [locale, files.get(file) ?? absent(file)] as const),
        )
      : null;
  const textOf = (unitId: string): ByLocale<LocalFile> | null => {
    const there = index.locales.flatMap((locale) => {
      const found = files.get(`units/${unitId}.${locale}.md`);
      return found ? [[locale, found] as const] : [];
    });
    return there.length > 0 ? Object.fromEntries(there) : null;
  };
  return {
    ...index,
    modules: modules.map(({ unlock = null, units, ...module }) => ({
      ...module,
      unlock: unlock && withCourse(index.courseId, unlock),
      units: units.map(({ unitId, unlock: rule = null, media, subtitles, questions = [], ...unit }) => ({
        ...unit,
        unitId: unitIdOf(index.courseId, unitId),
        unlock: rule && withCourse(index.courseId, rule),
        text: textOf(unitId),
        media: named(media),
        subtitles: named(subtitles),
        questions,
      })),
    })),
  };
}

/** A folder names its units by their short names. */
function withCourse(courseId: string, rule: Unlock): Unlock {
  if ('after' in rule) return { after: unitIdOf(courseId, rule.after) };
  if ('all' in rule) return { all: rule.all.map((each) => withCourse(courseId, each)) };
  return 'any' in rule ? { any: rule.any.map((each) => withCourse(courseId, each)) } : rule;
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
