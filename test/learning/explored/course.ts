import type { PublishedCourse, Unit, Unlock } from '../../../functions/learning/rules/course.ts';
import type { Call, End, Row } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';

/** A course without files: a text, and a quiz of one question. */

const courseId = 'short';
export const textId = 'short.text';
export const quizId = 'short.quiz';

type Edition = { readonly right: 'a' | 'b'; readonly unlock?: Unlock | null; readonly of?: string };

export function course(version: string, { right, unlock = null, of = courseId }: Edition): PublishedCourse {
  const empty = { text: null, variants: null, media: null, subtitles: null, questions: [], minutes: 1 };
  const option = (value: string) => ({ value, text: { en: value }, isCorrect: value === right });
  const question = {
    questionId: 'q',
    text: { en: 'Which?' },
    explanation: { en: right },
    options: ['a', 'b'].map(option),
  };
  const text: Unit = { ...empty, unitId: `${of}.text`, type: 'text', title: { en: 'Text' }, unlock };
  const quiz: Unit = {
    ...empty,
    unitId: `${of}.quiz`,
    type: 'quiz',
    title: { en: 'Quiz' },
    unlock: null,
    questions: [question],
  };
  return {
    courseId: of,
    version,
    title: { en: 'Short' },
    description: { en: 'A short course' },
    defaultLocale: 'en',
    locales: ['en'],
    requiresEntitlement: false,
    modules: [{ moduleId: 'one', title: { en: 'One' }, unlock: null, units: [text, quiz], packages: [] }],
    publishedAt: '2026-01-01T00:00:00.000Z',
  };
}

/** What `publishVersion` writes: the version, and the head that names it as the current one. */
export function published(edition: PublishedCourse, revision: number): Row[] {
  const { version, publishedAt } = edition;
  return [
    { part: `course#${edition.courseId}`, name: version, content: JSON.stringify(edition) },
    { part: 'courses', name: edition.courseId, courseId: edition.courseId, publishedAt, version, revision },
  ];
}

export function codeOf({ answer: { body } }: Call): string {
  const { code = '' } = (body.error ?? body) as { code?: string };
  return code;
}

export function progressRow({ rows }: End): Row | undefined {
  return rows('LearningProgress').find((row) => row.userId === patient.userId && row.courseId === courseId);
}

export function unitIn(end: End, unitId: string): Row | undefined {
  return progressRow(end)?.units[unitId];
}

/** The completions that were told, each once. */
export function toldCompletions({ outside }: End): string[] {
  const told = outside.events.map(
    ({ type, detail }) => `${type} ${detail.userId} ${detail.unitId} ${detail.completedAt}`,
  );
  return [...new Set(told)].sort();
}
