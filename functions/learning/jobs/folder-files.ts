import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { markdownFaults, utf8Of } from '../../agreements/rules.ts';
import { programmesWith } from '../../sleep/rules.ts';
import type { CourseProblem } from '../rules/course-problems.ts';
import type { Index } from './course-file.ts';

/** The files of a course's folder: each is used by something, is what it is used as, and what is used is there. */

export type Fault = { readonly file: string; readonly line: number; readonly message: string };

export type LocalFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly extension: string;
  readonly sha256: string;
};

const megabyte = 1024 * 1024;

/** Read whole, as packages are made of them: a module's files are in memory together, and so are a course's. */
const mostBytes = { file: 100 * megabyte, module: 250 * megabyte, course: 1000 * megabyte } as const;

/** No type that a browser runs scripts of. */
const contentTypes: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
  '.mp4': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.mp3': 'audio/mpeg',
};

type Unit = Index['modules'][number]['units'][number];

/** What a unit's media may be, by its type; one that has none has a fault of its own. */
const mediaOf: Readonly<Record<Unit['type'], readonly string[]>> = {
  text: Object.keys(contentTypes),
  quiz: Object.keys(contentTypes),
  video: ['.mp4'],
  audio: ['.m4a', '.mp3'],
};

/** A film is no subtitles: what a file is used as says how it may end. */
export function roleProblems({ modules }: Index): CourseProblem[] {
  return modules.flatMap(({ units }, index) =>
    units.flatMap(({ type, media, subtitles }, place) => {
      const path = `modules[${index}].units[${place}]`;
      return [
        ...endingProblems(media, `${path}.media`, mediaOf[type]),
        ...endingProblems(subtitles, `${path}.subtitles`, ['.vtt']),
      ];
    }),
  );
}

function endingProblems(files: Unit['media'], path: string, endings: readonly string[]): CourseProblem[] {
  return Object.entries(files ?? {}).flatMap(([locale, file]) =>
    endings.includes(extname(file))
      ? []
      : [{ path: `${path}.${locale}`, message: `must end with ${endings.join(', ')}` }],
  );
}

export type Files = {
  readonly found: ReadonlyMap<string, LocalFile>;
  readonly faults: readonly Fault[];
  readonly problems: readonly CourseProblem[];
};

/** Those of the folders `units` and `media`. */
export async function readFiles(folder: string, index: Index): Promise<Files> {
  const wanted = new Set(index.modules.flatMap(({ units }) => units.flatMap((unit) => namesFor(unit, index))));
  const faults: Fault[] = [];
  const add = (file: string, line: number, message: string) => faults.push({ file, line, message });
  const there = (await Promise.all(['units', 'media'].map((room) => namesIn(folder, room)))).flat();
  for (const file of there)
    if (!wanted.has(file)) add(file, 1, 'is not used by any unit in any language of the course');
  const used = there.filter((file) => wanted.has(file));
  const sizes = new Map<string, number>();
  for (const file of used) {
    const { size } = await stat(join(folder, file));
    sizes.set(file, size);
    if (size > mostBytes.file) add(file, 1, `has ${size} bytes, and ${mostBytes.file} at most`);
    else if (size === 0) add(file, 1, 'is empty');
  }
  for (const { file, message } of absentFiles(index, new Set(used))) add(file, 1, message);
  const problems = sizeProblems(index, sizes);
  const found = new Map<string, LocalFile>();
  // What is too much is not read.
  for (const file of problems.length > 0 ? [] : used) {
    const size = sizes.get(file) ?? 0;
    const extension = extname(file);
    const contentType = contentTypes[extension];
    if (!contentType || size === 0 || size > mostBytes.file) continue;
    const bytes = await readFile(join(folder, file));
    found.set(file, { name: file, bytes, contentType, extension, sha256: sha256Of(bytes) });
    for (const { line, message } of contentFaults(extension, bytes)) add(file, line, message);
  }
  return { found, faults, problems };
}

/** A film begins with its kind (ISO 14496-12, section 4.3), a sound of MP3 with its tag or a frame. */
const beginnings: Readonly<Record<string, RegExp>> = {
  '.mp4': /^.{4}ftyp/s,
  '.m4a': /^.{4}ftyp/s,
  '.mp3': /^(?:ID3|\xff[\xe0-\xff])/,
};

function contentFaults(extension: string, bytes: Uint8Array): Omit<Fault, 'file'>[] {
  const beginning = beginnings[extension];
  if (beginning) {
    const isMade = beginning.test(Buffer.from(bytes.subarray(0, 8)).toString('latin1'));
    return isMade ? [] : [{ line: 1, message: `does not begin as a file that ends with ${extension}` }];
  }
  const read = utf8Of(bytes);
  if (read.text === null) return [{ line: read.line, message: 'is no UTF-8' }];
  if (extension === '.md') {
    return markdownFaults(read.text).map(({ line, message }) => ({ line, message: `has ${message}` }));
  }
  const isWebVtt = /^\ufeff?WEBVTT(?:[ \t\r\n]|$)/.test(read.text);
  return isWebVtt ? [] : [{ line: 1, message: 'is not WebVTT: it must begin with WEBVTT' }];
}

/** A text of a unit that is no text is optional: in each language, or in none. */
function absentFiles(index: Index, there: ReadonlySet<string>) {
  const all = index.modules
    .flatMap(({ units }) => units)
    .flatMap((unit) => {
      const texts = textNames(unit, index);
      const isOptional = unit.type !== 'text' && !texts.some((text) => there.has(text));
      const message = unit.type === 'text' ? 'is not there' : 'is not there, and is in another language or programme';
      const media = mediaNames(unit).map((file) => ({ file, message: 'is not there' }));
      return [...(isOptional ? [] : texts.map((file) => ({ file, message }))), ...media];
    });
  const absent = new Map(all.filter(({ file }) => !there.has(file)).map((each) => [each.file, each]));
  return [...absent.values()];
}

/** Each file once: it is stored once. */
function sizeProblems(index: Index, sizes: ReadonlyMap<string, number>): CourseProblem[] {
  const sumOf = (files: readonly string[]) =>
    [...new Set(files)].reduce((sum, file) => sum + Math.min(sizes.get(file) ?? 0, mostBytes.file), 0);
  const filesOf = index.modules.map(({ units }) => units.flatMap((unit) => namesFor(unit, index)));
  const all = [
    ...filesOf.map((files, index) => ({ path: `modules[${index}]`, sum: sumOf(files), most: mostBytes.module })),
    { path: 'modules', sum: sumOf(filesOf.flat()), most: mostBytes.course },
  ];
  return all.flatMap(({ path, sum, most }) =>
    sum > most ? [{ path, message: `has ${sum} bytes of files, and ${most} at most` }] : [],
  );
}

async function namesIn(folder: string, room: string): Promise<string[]> {
  const entries = await readdir(join(folder, room)).catch(() => []);
  return entries.toSorted().map((entry) => `${room}/${entry}`);
}

/** @param programmeId null if the text is the same in all programmes */
export function textName(unitId: string, programmeId: string | null, locale: string): string {
  return ['units/', unitId, ...(programmeId === null ? [] : ['.', programmeId]), '.', locale, '.md'].join('');
}

type About = Pick<Index, 'courseId' | 'locales'>;

function textNames({ unitId, variesByProgramme = false }: Unit, { courseId, locales }: About): string[] {
  const programmes = variesByProgramme ? programmesWith(courseId) : [null];
  return programmes.flatMap((programmeId) => locales.map((locale) => textName(unitId, programmeId, locale)));
}

function mediaNames({ media, subtitles }: Unit): string[] {
  return [...Object.values(media ?? {}), ...Object.values(subtitles ?? {})];
}

function namesFor(unit: Unit, about: About): string[] {
  return [...textNames(unit, about), ...mediaNames(unit)];
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
