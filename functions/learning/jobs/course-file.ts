import * as z from 'zod/mini';
import { Locale, oneLine, visibleLines, wellFormed } from '../../../lib/contract/fields.ts';
import { type Unlock, unitTypes } from '../rules/course.ts';

/** The form of `course.json`. */

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

export const CourseFile = z.strictObject({
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
              /** One text cannot be true in all programmes: each has its own file. */
              variesByProgramme: z.optional(z.boolean()),
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

export type Index = z.output<typeof CourseFile>;
