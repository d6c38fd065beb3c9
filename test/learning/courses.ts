import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Unit, Unlock } from '../../functions/learning/rules/course.ts';

/** Courses of the tests. */

export function unitOf(unitId: string, unlock: Unlock | null = null): Unit<unknown> {
  const empty = { text: null, variants: null, media: null, subtitles: null, questions: [] };
  return { unitId, type: 'text', title: { en: unitId }, minutes: 1, unlock, ...empty };
}

/** Two modules: a text and a film, then a quiz. */
export const index = {
  courseId: 'short',
  version: '1',
  title: { en: 'Short', de: 'Kurz' },
  description: { en: 'A short course', de: 'Ein kurzer Kurs' },
  defaultLocale: 'en',
  locales: ['en', 'de'],
  requiresEntitlement: false,
  modules: [
    {
      moduleId: 'one',
      title: { en: 'One', de: 'Eins' },
      units: [
        { unitId: 'text', type: 'text', title: { en: 'Text', de: 'Text' }, minutes: 2 },
        {
          unitId: 'film',
          type: 'video',
          title: { en: 'Film', de: 'Film' },
          minutes: 2,
          unlock: { after: 'text' },
          media: { en: 'media/film.mp4', de: 'media/film.mp4' },
          subtitles: { en: 'media/film.en.vtt', de: 'media/film.de.vtt' },
        },
      ],
    },
    {
      moduleId: 'two',
      title: { en: 'Two', de: 'Zwei' },
      unlock: { all: [{ after: 'film' }, { questionnaire: 'who-5' }] },
      units: [
        {
          unitId: 'quiz',
          type: 'quiz',
          title: { en: 'Quiz', de: 'Quiz' },
          minutes: 1,
          questions: [
            {
              questionId: 'q',
              text: { en: 'Which?', de: 'Welches?' },
              options: [
                { value: 'a', text: { en: 'A', de: 'A' }, isCorrect: true },
                { value: 'b', text: { en: 'B', de: 'B' }, isCorrect: false },
              ],
              explanation: { en: 'It is A', de: 'Es ist A' },
            },
          ],
        },
      ],
    },
  ],
};

const files: Readonly<Record<string, string>> = {
  'units/text.en.md': '# Text\n\nWith [a link](https://a.example/).\n',
  'units/text.de.md': '# Text\n\nMit [einem Link](https://a.example/).\n',
  // As much of a film as is looked at.
  'media/film.mp4': '\0\0\0\x18ftypmp42',
  'media/film.en.vtt': 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n',
  'media/film.de.vtt': 'WEBVTT\n\n00:00.000 --> 00:01.000\nHallo\n',
};

/** A folder of its own below the temporary one. @param json of course.json, as it is or as an object */
export async function folderOf(
  json: unknown = index,
  more: Readonly<Record<string, string | Uint8Array | null>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'course-'));
  const text = typeof json === 'string' ? json : JSON.stringify(json, null, 2);
  const all: Record<string, string | Uint8Array | null> = { 'course.json': text, ...files, ...more };
  for (const [name, content] of Object.entries(all)) {
    if (content === null) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}
