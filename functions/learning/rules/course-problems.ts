import { programmesWith } from '../../sleep/rules.ts';
import type { Course, Module, Question, Unit, Unlock } from './course.ts';
import { unitsOf } from './course.ts';
import { missingForUnit } from './unlock.ts';

/** What is wrong with a course beyond its form. Pure. */

export type CourseProblem = { readonly path: string; readonly message: string };

type Named = { readonly path: string; readonly id: string };
type Draft = Course<unknown, Module<unknown>>;

/** Deeper rules are more than anybody understands. */
const deepest = 4;

export function courseProblems(course: Draft): CourseProblem[] {
  const units = course.modules.flatMap((module, index) =>
    module.units.map((unit, place) => ({ unit, path: `modules[${index}].units[${place}]` })),
  );
  const modules = course.modules.map(({ moduleId }, index) => ({ path: `modules[${index}].moduleId`, id: moduleId }));
  const known = new Set(unitsOf(course).map(({ unitId }) => unitId));
  const rules = [
    ...course.modules.map(({ unlock }, index) => ({ path: `modules[${index}].unlock`, unlock })),
    ...units.map(({ unit, path }) => ({ path: `${path}.unlock`, unlock: unit.unlock })),
  ];
  const problems = [
    ...(course.locales.includes(course.defaultLocale)
      ? []
      : [{ path: 'defaultLocale', message: 'is none of the locales' }]),
    ...(course.requiresEntitlement && programmesWith(course.courseId).length === 0
      ? [
          {
            path: 'requiresEntitlement',
            message: 'is true, but no programme contains the course: nobody could read it',
          },
        ]
      : []),
    ...twice(modules),
    ...twice(units.map(({ unit, path }) => ({ path: `${path}.unitId`, id: unit.unitId }))),
    ...textProblems(course),
    ...units.flatMap(({ unit, path }) => unitProblems(unit, path, course.locales)),
    ...units.flatMap(({ unit, path }) => variantProblems(unit, path, course)),
    ...rules.flatMap(({ path, unlock }) => (unlock ? ruleProblems(unlock, path, known, 1) : [])),
  ];
  return problems.length > 0 ? problems : unreachable(course);
}

function twice(all: readonly Named[]): CourseProblem[] {
  return all
    .filter(({ id }, index) => all.findIndex((other) => other.id === id) < index)
    .map(({ path }) => ({ path, message: 'exists twice' }));
}

/** Each text in each language: nobody meets half a course. */
function textProblems(course: Draft): CourseProblem[] {
  const texts = [
    { path: 'title', text: course.title },
    { path: 'description', text: course.description },
    ...course.modules.flatMap((module, index) => [
      { path: `modules[${index}].title`, text: module.title },
      ...module.units.flatMap((unit, place) => {
        const path = `modules[${index}].units[${place}]`;
        return [{ path: `${path}.title`, text: unit.title }, ...textsOfQuestions(unit.questions, path)];
      }),
    ]),
  ];
  return texts.flatMap(({ path, text }) => localeProblems(text, path, course.locales));
}

function textsOfQuestions(questions: readonly Question[], path: string) {
  return questions.flatMap(({ text, explanation, options }, index) => [
    { path: `${path}.questions[${index}].text`, text },
    { path: `${path}.questions[${index}].explanation`, text: explanation },
    ...options.map((option, place) => ({
      path: `${path}.questions[${index}].options[${place}].text`,
      text: option.text,
    })),
  ]);
}

function localeProblems(found: object, path: string, locales: readonly string[]): CourseProblem[] {
  const there = Object.keys(found);
  return [
    ...locales.filter((locale) => !there.includes(locale)).map((locale) => ({ path, message: `has no ${locale}` })),
    ...there
      .filter((locale) => !locales.includes(locale))
      .map((locale) => ({ path: `${path}.${locale}`, message: 'is none of the locales' })),
  ];
}

function unitProblems(unit: Unit<unknown>, path: string, locales: readonly string[]): CourseProblem[] {
  const { type, media, subtitles, questions } = unit;
  const isPlayed = type === 'video' || type === 'audio';
  const found: CourseProblem[] = [];
  if (isPlayed && !media) found.push({ path, message: `is of type ${type} and has no media` });
  if (!isPlayed && media) found.push({ path: `${path}.media`, message: `belong to video and audio` });
  if (subtitles && !media) found.push({ path: `${path}.subtitles`, message: 'belong to media' });
  if (type === 'quiz' && questions.length === 0) found.push({ path, message: 'is a quiz without questions' });
  if (type !== 'quiz' && questions.length > 0) found.push({ path: `${path}.questions`, message: 'belong to a quiz' });
  if (media) found.push(...localeProblems(media, `${path}.media`, locales));
  if (subtitles) found.push(...localeProblems(subtitles, `${path}.subtitles`, locales));
  return [...found, ...questionProblems(questions, `${path}.questions`)];
}

/** A reader without a programme would get no text. */
function variantProblems({ variants }: Unit<unknown>, path: string, { requiresEntitlement }: Draft): CourseProblem[] {
  if (!variants || requiresEntitlement) return [];
  return [
    { path: `${path}.variesByProgramme`, message: 'needs a course that requires an entitlement, and so a programme' },
  ];
}

function questionProblems(questions: readonly Question[], path: string): CourseProblem[] {
  const ids = questions.map(({ questionId }, index) => ({ path: `${path}[${index}].questionId`, id: questionId }));
  return [
    ...twice(ids),
    ...questions.flatMap(({ options }, index) => [
      ...twice(options.map(({ value }, place) => ({ path: `${path}[${index}].options[${place}].value`, id: value }))),
      ...(options.some(({ isCorrect }) => isCorrect)
        ? []
        : [{ path: `${path}[${index}].options`, message: 'have no right one' }]),
    ]),
  ];
}

function ruleProblems(rule: Unlock, path: string, known: ReadonlySet<string>, depth: number): CourseProblem[] {
  if (depth > deepest) return [{ path, message: `is more than ${deepest} deep` }];
  if ('all' in rule)
    return rule.all.flatMap((each, index) => ruleProblems(each, `${path}.all[${index}]`, known, depth + 1));
  if ('any' in rule)
    return rule.any.flatMap((each, index) => ruleProblems(each, `${path}.any[${index}]`, known, depth + 1));
  return 'after' in rule && !known.has(rule.after) ? [{ path, message: 'names no unit of this course' }] : [];
}

/** Units that wait for themselves, for one another or for a day of no programme: with everything answered they stay locked. */
function unreachable(course: Draft): CourseProblem[] {
  const [programmeId] = programmesWith(course.courseId);
  const completedUnits = new Set<string>();
  const anything = { has: () => true } as unknown as ReadonlySet<string>;
  const facts = {
    today: '9999-12-31',
    entitlement: programmeId === undefined ? null : { firstDay: '1970-01-01', programmeId },
    begunUnits: new Set<string>(),
    completedUnits,
    completedQuestionnaires: anything,
  };
  for (let before = -1; before < completedUnits.size; ) {
    before = completedUnits.size;
    for (const module of course.modules) {
      const open = module.units.filter((unit) => missingForUnit(course, module, unit, facts).length === 0);
      for (const { unitId } of open) completedUnits.add(unitId);
    }
  }
  return course.modules.flatMap((module, index) =>
    module.units.flatMap(({ unitId }, place) =>
      completedUnits.has(unitId)
        ? []
        : [
            {
              path: `modules[${index}].units[${place}]`,
              message:
                'can never be unlocked: its rules go in a circle, or wait for a day, and no programme has the course',
            },
          ],
    ),
  );
}
