import type { CourseDraft } from '../../functions/learning/jobs/course-folder.ts';
import { isMultiple, outcomeOf, type QuizOutcome, unitsOf } from '../../functions/learning/rules.ts';
import { addDays } from '../../functions/sleep/rules.ts';
import { at, type Traits } from './traits.ts';

export type CompletedUnit = {
  readonly courseId: string;
  readonly unitId: string;
  readonly completedAt: string;
  readonly quiz: QuizOutcome | null;
};

/** The units in the order of the course, until the person stops. */
export function completedUnits(traits: Traits, course: CourseDraft, joinedAt: string): CompletedUnit[] {
  const { random, from, to, zone, diligence } = traits;
  const { courseId, version } = course;
  const found: CompletedUnit[] = [];
  let date = from;
  for (const unit of unitsOf(course)) {
    date = addDays(date, random.whole(0, 4));
    // The second module opens after a week.
    if (found.length === (course.modules[0]?.units.length ?? 0) && date < addDays(from, 7)) date = addDays(from, 7);
    const completedAt = at(date, random.whole(14 * 60, 21 * 60), zone);
    const questions = unit.questions ?? [];
    const answers = questions.map((question) => {
      const { questionId, options } = question;
      const wanted = options.filter(({ isCorrect }) => isCorrect === random.chance(0.8)).map(({ value }) => value);
      const [first = ''] = options.map(({ value }) => value);
      const values = wanted.length > 0 ? wanted : [first];
      return { questionId, values: isMultiple(question) ? values : values.slice(0, 1) };
    });
    if (date > to || !random.chance(0.6 + 0.4 * diligence)) return found;
    if (completedAt < joinedAt) continue;
    const quiz = unit.type === 'quiz' ? outcomeOf(questions, answers, version) : null;
    found.push({ courseId, unitId: unit.unitId, completedAt, quiz });
  }
  return found;
}
