import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { readCourseFolder } from '../../functions/learning/jobs/course-folder.ts';
import type { LocalFile } from '../../functions/learning/jobs/folder-files.ts';
import { previewOf } from '../../functions/learning/jobs/publish-course.ts';
import { type Module, questionnairesIn, textFor, unitsOf } from '../../functions/learning/rules/course.ts';
import { folderOf, index } from './courses.ts';

/** What `npm run cli -- publish-content` reads, and what it says of a folder. */

const made: string[] = [];
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true }))));

async function read(...content: Parameters<typeof folderOf>) {
  const folder = await folderOf(...content);
  made.push(folder);
  return readCourseFolder(folder);
}

const latin = (text: string) => Buffer.from(text, 'latin1');

/** What only the first module does not use. */
const unused = {
  'units/text.en.md': null,
  'units/text.de.md': null,
  'media/film.en.vtt': null,
  'media/film.de.vtt': null,
};

/** A copy in which something is changed. */
function changed(change: (course: typeof index) => unknown): unknown {
  const copy = structuredClone(index);
  change(copy);
  return copy;
}
const captions = { en: 'media/film.en.vtt', de: 'media/film.de.vtt' };
const films = { en: 'media/film.mp4', de: 'media/film.mp4' };
/** 180,000 characters, and twice as many bytes. */
const long = { en: 'ü'.repeat(900), de: 'ü'.repeat(900) };
const manyQuestions = {
  type: 'quiz',
  questions: Array.from({ length: 20 }, (_, index) => ({
    questionId: `q${index}`,
    text: long,
    explanation: long,
    options: ['a', 'b', 'c'].map((value) => ({ value, text: long, isCorrect: value === 'a' })),
  })),
};
const withGerman = (locale: string, text: unknown) =>
  changed((course) => Object.assign(course, { title: { en: 'Short', de: 'Kurz', [locale]: text } }));
const first = (course: typeof index) => course.modules[0] as (typeof index)['modules'][number];
const unitAt = (course: typeof index, place: number) => first(course).units[place] as Record<string, unknown>;

test('a folder that is fine', async () => {
  const { course, faults } = await read();
  expect(faults).toEqual([]);
  expect(course?.modules.map(({ units }) => units.map(({ unitId }) => unitId))).toEqual([
    ['short.text', 'short.film'],
    ['short.quiz'],
  ]);
  expect(course?.modules[1]?.unlock).toEqual({ all: [{ after: 'short.film' }, { questionnaire: 'who-5' }] });
  expect(course && questionnairesIn(course)).toEqual(['who-5']);
  expect(course && previewOf(course)).toEqual([
    'short 1 in en, de: nothing is published',
    '  module one',
    '    short.text: text, 2 minutes',
    '    short.film: video, 2 minutes',
    '  module two',
    '    short.quiz: quiz, 1 minutes, 1 questions',
    '  whether the stage has the questionnaires is not checked: who-5',
  ]);
});

test('the seed is fine, and every unit but the quiz has its text in both languages', async () => {
  const seed = new URL('../../functions/learning/seed/sleep-basics', import.meta.url);
  const { course, faults } = await readCourseFolder(fileURLToPath(seed));
  expect(faults).toEqual([]);
  const texts = (course ? unitsOf<LocalFile, Module<LocalFile>>(course) : []).filter(({ type }) => type === 'text');
  expect(texts).toHaveLength(7);
  for (const { text, variants } of texts) {
    for (const each of variants ? Object.values(variants) : [text]) {
      expect(Object.keys(each ?? {}).toSorted()).toEqual(['de', 'en']);
      expect(each?.de?.sha256).not.toBe(each?.en?.sha256);
    }
  }
});

describe('a text that differs by programme', () => {
  const varied = (more: object = {}) =>
    changed((course) => {
      Object.assign(course, { courseId: 'sleep-basics', requiresEntitlement: true, ...more });
      Object.assign(unitAt(course, 0), { variesByProgramme: true });
    });
  const same = { 'units/text.en.md': null, 'units/text.de.md': null };
  const names = ['insomnia-basic.en', 'insomnia-basic.de', 'insomnia-self-guided.en', 'insomnia-self-guided.de'].map(
    (each) => `units/text.${each}.md`,
  );
  const all = { ...same, ...Object.fromEntries(names.map((name, index) => [name, `# Text ${index}\n`])) };

  test('each programme of the course has its own, in each language', async () => {
    const { course, faults } = await read(varied(), all);
    expect(faults).toEqual([]);
    const [unit] = course ? unitsOf<LocalFile, Module<LocalFile>>(course) : [];
    expect(unit && [unit.text, textFor(unit, 'insomnia-basic')?.en?.name]).toEqual([null, names[0]]);
    expect(unit && [textFor(unit, null), textFor(unit, 'another')]).toEqual([null, null]);
  });

  test('a programme that lacks it is named', async () => {
    const { faults } = await read(varied(), { ...all, [names[3] ?? '']: null });
    expect(faults).toEqual([{ file: names[3], line: 1, message: 'is not there' }]);
  });

  test('nobody would read it: a course without entitlement, a text for all beside it, a programme without the course', async () => {
    const open = await read(varied({ requiresEntitlement: false }), all);
    expect(open.faults).toMatchObject([{ file: 'course.json', message: expect.stringContaining('entitlement') }]);
    const beside = { ...all, 'units/text.en.md': '# For all\n', 'units/text.other.en.md': '# For none\n' };
    expect((await read(varied(), beside)).faults.map(({ file }) => file)).toEqual([
      'units/text.en.md',
      'units/text.other.en.md',
    ]);
  });
});

describe('a fault has its file and line', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{\n  "courseId": "x",\n  oops\n}', 'course.json:3'],
    ['a comma too many', '{\n  "courseId": "x",\n  "locales": ["de",\n  ]\n}\n\n', 'course.json:4'],
    ['a string over two lines', '{\n  "courseId": "x\n"}', 'course.json:2'],
    ['JSON that ends too early', '{\n  "courseId": [\n', 'course.json:3'],
    ['a text of a language with a hyphen', withGerman('de-AT', 7), 'course.json:7'],
    ['a text of a language that is none', withGerman('de AT]', 'Kurz'), 'course.json:7'],
    ['an unknown field', changed((course) => Object.assign(course, { colour: 1 })), 'course.json:1'],
    ['a version of another form', changed((course) => Object.assign(course, { version: 'a b' })), 'course.json:3'],
    [
      'an id that a unit cannot have',
      changed((course) => Object.assign(unitAt(course, 0), { unitId: 'a.b' })),
      'course.json:27',
    ],
    ['a type that is none', changed((course) => Object.assign(unitAt(course, 0), { type: 'game' })), 'course.json:28'],
    ['a language that is missing', changed((course) => Object.assign(course, { title: { en: 'x' } })), 'course.json:4'],
    [
      'a default language that is none',
      changed((course) => Object.assign(course, { defaultLocale: 'fr' })),
      'course.json:12',
    ],
    [
      'a rule that is none',
      changed((course) => Object.assign(unitAt(course, 1), { unlock: { after: 'a', day: 1 } })),
      'course.json:43',
    ],
    [
      'a rule about an unknown unit',
      changed((course) => Object.assign(unitAt(course, 1), { unlock: { after: 'nothing' } })),
      'course.json:43',
    ],
    [
      'a unit that waits for itself',
      changed((course) => Object.assign(unitAt(course, 0), { unlock: { after: 'film' } })),
      'course.json:26',
    ],
    [
      'two units of one name',
      changed((course) => Object.assign(unitAt(course, 1), { unitId: 'text' })),
      'course.json:36',
    ],
    [
      'a film without media',
      changed((course) => Object.assign(unitAt(course, 1), { media: undefined, subtitles: undefined })),
      'course.json:35',
    ],
    [
      'media outside of the folder',
      changed((course) =>
        Object.assign(unitAt(course, 1), { media: { en: '../../etc/passwd', de: 'media/film.mp4' } }),
      ),
      'course.json:47',
    ],
    [
      'subtitles for a film',
      changed((course) => Object.assign(unitAt(course, 1), { media: captions })),
      'course.json:48',
    ],
    [
      'a film for subtitles',
      changed((course) => Object.assign(unitAt(course, 1), { subtitles: films })),
      'course.json:52',
    ],
    ['a film as sound', changed((course) => Object.assign(unitAt(course, 1), { type: 'audio' })), 'course.json:48'],
    [
      'an entitlement that no programme can give',
      changed((course) => Object.assign(course, { requiresEntitlement: true })),
      'course.json:17',
    ],
    [
      'a day of no programme',
      changed((course) => Object.assign(unitAt(course, 1), { unlock: { day: 7 } })),
      'course.json:35',
    ],
    ['more than a row takes', changed((course) => Object.assign(unitAt(course, 0), manyQuestions)), 'course.json:18'],
  ])('%s', async (_case, json, place) => {
    const { course, faults } = await read(json);
    expect(course).toBeNull();
    expect(faults.map(({ file, line }) => `${file}:${line}`)).toContain(place);
  });

  test.each<[string, Record<string, string | Uint8Array | null>, string]>([
    ['HTML in a text', { 'units/text.de.md': '# Text\n\n\n<b>x</b>\n' }, 'units/text.de.md:4'],
    ['a link that is not https', { 'units/text.en.md': '[x](http://a.example)' }, 'units/text.en.md:1'],
    ['a text that is missing', { 'units/text.de.md': null }, 'units/text.de.md:1'],
    ['media that are missing', { 'media/film.mp4': null }, 'media/film.mp4:1'],
    ['subtitles that are none', { 'media/film.en.vtt': 'Hello' }, 'media/film.en.vtt:1'],
    ['a file that nothing uses', { 'units/text.fr.md': '# Texte' }, 'units/text.fr.md:1'],
    ['a film that is none', { 'media/film.mp4': '<html>no film</html>' }, 'media/film.mp4:1'],
    ['a file of a type that browsers run', { 'media/film.html': '<script>' }, 'media/film.html:1'],
    ['an empty file', { 'media/film.mp4': '' }, 'media/film.mp4:1'],
    ['a transcript in only one language', { 'units/film.en.md': 'What is said' }, 'units/film.de.md:1'],
    ['no index', { 'course.json': null }, 'course.json:1'],
    ['a text in another encoding', { 'units/text.de.md': latin('# Text\n\nSchön\n') }, 'units/text.de.md:3'],
    ['subtitles in another encoding', { 'media/film.de.vtt': latin('WEBVTT\n\nSchön') }, 'media/film.de.vtt:3'],
    ['an index in another encoding', { 'course.json': latin('{\n "title": "Schön"\n}') }, 'course.json:2'],
  ])('%s', async (_case, more, place) => {
    const { course, faults } = await read(index, more);
    expect(course).toBeNull();
    expect([...new Set(faults.map(({ file, line }) => `${file}:${line}`))]).toEqual([place]);
  });

  test.each<[string, string | Uint8Array, boolean]>([
    ['media/film.m4a', '\0\0\0\x20ftypM4A ', true],
    ['media/film.m4a', 'ID3\x04 ftyp', false],
    ['media/film.mp3', 'ID3\x04', true],
    ['media/film.mp3', new Uint8Array([0xff, 0xfb, 0x90]), true],
    ['media/film.mp3', 'a sound', false],
  ])('a sound that is none: %s with %j', async (name, content, isFine) => {
    const json = changed((course) =>
      Object.assign(unitAt(course, 1), { type: 'audio', media: { en: name, de: name }, subtitles: undefined }),
    );
    const more = { [name]: content, 'media/film.mp4': null, 'media/film.en.vtt': null, 'media/film.de.vtt': null };
    const { faults } = await read(json, more);
    expect(faults.map(({ file }) => file)).toEqual(isFine ? [] : [name]);
  });

  test('all at once', async () => {
    const json = changed((course) => Object.assign(course, { defaultLocale: 'fr' }));
    const { faults } = await read(json, { 'units/text.de.md': '<b>', 'media/film.en.vtt': 'x' });
    expect(faults.map(({ file }) => file).toSorted()).toEqual(['course.json', 'media/film.en.vtt', 'units/text.de.md']);
  });

  test('more of a module than is packed at once, which is not read', async () => {
    const units = [1, 2, 3].map((number) => ({
      ...{ ...unitAt(index, 1), unitId: `film-${number}`, unlock: undefined, subtitles: undefined },
      media: { en: `media/${number}.mp4`, de: 'media/film.mp4' },
    }));
    const modules = [{ ...first(index), units }];
    const folder = await folderOf(
      { ...index, modules },
      { ...unused, 'media/1.mp4': 'x', 'media/2.mp4': 'x', 'media/3.mp4': 'x' },
    );
    made.push(folder);
    for (const number of [1, 2, 3]) await truncate(join(folder, `media/${number}.mp4`), 90 * 1024 * 1024);
    const { faults } = await readCourseFolder(folder);
    expect(faults.map(({ file, line, message }) => `${file}:${line}: ${message}`)).toEqual([
      expect.stringMatching(/^course\.json:19: modules\[0\] has 2831\d+ bytes of files, and 262144000 at most$/),
    ]);
  });
});

test('a file of more than 100 MB, which is not read', async () => {
  const folder = await folderOf();
  made.push(folder);
  await truncate(join(folder, 'media/film.mp4'), 100 * 1024 * 1024 + 1);
  const { course, faults } = await readCourseFolder(folder);
  expect(course).toBeNull();
  expect(faults).toContainEqual({
    file: 'media/film.mp4',
    line: 1,
    message: 'has 104857601 bytes, and 104857600 at most',
  });
});
