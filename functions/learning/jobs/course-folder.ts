import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { utf8Of } from '../../agreements/rules.ts';
import { programmesWith } from '../../sleep/rules.ts';
import {
  type ByLocale,
  type Course,
  editionsOf,
  type Module,
  type Unit,
  type Unlock,
  unitIdOf,
} from '../rules/course.ts';
import { type CourseProblem, courseProblems } from '../rules/course-problems.ts';
import { contentBytes, longestContent } from '../stores/course-rows.ts';
import { CourseFile, type Index } from './course-file.ts';
import { type Fault, type LocalFile, readFiles, roleProblems, textName } from './folder-files.ts';
import { lineAt, lineOf, linesOf, pathOf, syntaxFaultIn } from './json-lines.ts';

/**
 * A course as a folder: `course.json`, `units/<unit>.<locale>.md`, and the media that course.json names. The text of a unit that
 * varies by programme is `units/<unit>.<programme>.<locale>.md`, for each programme that has the course.
 */

export type CourseDraft = Course<LocalFile, Module<LocalFile>>;

/** So that a user's row of a course stays far below the 400 KB that DynamoDB takes. */
const most = { units: 100, questions: 200 } as const;

export type ReadFolder =
  | { readonly course: CourseDraft; readonly faults: readonly [] }
  | { readonly course: null; readonly faults: readonly Fault[] };

/** Reads and checks a folder. All that is wrong is found at once, each with its file and line. */
export async function readCourseFolder(folder: string): Promise<ReadFolder> {
  const file = 'course.json';
  const failed = (line: number, message: string): ReadFolder => ({ course: null, faults: [{ file, line, message }] });
  const bytes = await readFile(join(folder, file)).catch(() => null);
  if (bytes === null) return failed(1, 'is not there');
  const read = utf8Of(bytes);
  if (read.text === null) return failed(read.line, 'is no UTF-8');
  const { text } = read;
  const fault = syntaxFaultIn(text);
  if (fault !== null) {
    const [from = ''] = text.slice(fault, fault + 20).split('\n');
    return failed(lineAt(text, fault), `is no JSON ${from === '' ? 'at its end' : `from here: ${from}`}`);
  }
  const lines = linesOf(text);
  const faultAt = ({ path, message }: CourseProblem): Fault => ({
    file,
    line: lineOf(lines, path),
    message: path === '' ? message : `${path} ${message}`,
  });
  const index = z.safeParse(CourseFile, JSON.parse(text));
  if (!index.success) {
    return {
      course: null,
      faults: index.error.issues.map(({ path, message }) => faultAt({ path: pathOf(path), message })),
    };
  }
  const files = await readFiles(folder, index.data);
  const course = draftOf(index.data, files.found);
  const problems = [
    ...courseProblems(course),
    ...roleProblems(index.data),
    ...files.problems,
    ...lengthProblems(course),
  ];
  const all = [...problems.map(faultAt), ...files.faults];
  return all.length > 0 ? { course: null, faults: all } : { course, faults: [] };
}

function lengthProblems(course: CourseDraft): CourseProblem[] {
  const units = course.modules.flatMap((module) => module.units);
  const questions = units.flatMap((unit) => unit.questions).length;
  const bytes = contentBytes(asStored(course));
  return [
    ...(units.length > most.units ? [{ path: 'modules', message: `have more than ${most.units} units` }] : []),
    ...(questions > most.questions ? [{ path: 'modules', message: `have more than ${most.questions} questions` }] : []),
    ...(bytes > longestContent
      ? [{ path: 'modules', message: `make a row of some ${bytes} bytes, and ${longestContent} at most` }]
      : []),
  ];
}

/** As long as the version will be, before any of its files is put. */
function asStored(course: CourseDraft): unknown {
  const file = {
    key: `files/${'0'.repeat(64)}.zip`,
    objectVersionId: '0'.repeat(32),
    contentType: 'text/markdown; charset=utf-8',
    sizeBytes: 100_000_000,
    sha256: '0'.repeat(64),
  };
  const stored = (files: ByLocale<LocalFile> | null) =>
    files && Object.fromEntries(Object.keys(files).map((locale) => [locale, file]));
  return {
    ...course,
    modules: course.modules.map((module) => ({
      ...module,
      packages: editionsOf(course, module).map((programmeId) => ({
        programmeId,
        files: Object.fromEntries(course.locales.map((locale) => [locale, file])),
      })),
      units: module.units.map(({ text, variants, media, subtitles, ...unit }) => ({
        ...unit,
        ...{ text: stored(text), media: stored(media), subtitles: stored(subtitles) },
        variants:
          variants &&
          Object.fromEntries(Object.entries(variants).map(([programmeId, files]) => [programmeId, stored(files)])),
      })),
    })),
    publishedAt: '2026-01-01T00:00:00.000Z',
  };
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
  const textOf = (unitId: string, programmeId: string | null): ByLocale<LocalFile> | null => {
    const there = index.locales.flatMap((locale) => {
      const found = files.get(textName(unitId, programmeId, locale));
      return found ? [[locale, found] as const] : [];
    });
    return there.length > 0 ? Object.fromEntries(there) : null;
  };
  const variantsOf = (unitId: string): Unit<LocalFile>['variants'] => {
    const there = programmesWith(index.courseId).flatMap((programmeId) => {
      const found = textOf(unitId, programmeId);
      return found ? [[programmeId, found] as const] : [];
    });
    return there.length > 0 ? Object.fromEntries(there) : null;
  };
  return {
    ...index,
    modules: modules.map(({ unlock = null, units, ...module }) => ({
      ...module,
      unlock: unlock && withCourse(index.courseId, unlock),
      units: units.map(({ unitId, unlock: rule = null, variesByProgramme = false, ...unit }) => ({
        ...{ type: unit.type, title: unit.title, minutes: unit.minutes },
        unitId: unitIdOf(index.courseId, unitId),
        unlock: rule && withCourse(index.courseId, rule),
        text: variesByProgramme ? null : textOf(unitId, null),
        variants: variesByProgramme ? variantsOf(unitId) : null,
        media: named(unit.media),
        subtitles: named(unit.subtitles),
        questions: unit.questions ?? [],
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
