import { isDeepStrictEqual } from 'node:util';
import type { Question } from './course.ts';
import type { QuizOutcome } from './progress.ts';

/** Checks a quiz's answers. A question counts one where exactly its right options are chosen. Pure. */

export type Answers = QuizOutcome['answers'];

export type AnswerProblem = { readonly path: string; readonly message: string };

export function answerProblems(questions: readonly Question[], answers: Answers): AnswerProblem[] {
  const given = answers.flatMap(({ questionId, values }, index): AnswerProblem[] => {
    const question = questions.find((each) => each.questionId === questionId);
    const path = `answers[${index}]`;
    if (!question) return [{ path: `${path}.questionId`, message: 'is no question of this quiz' }];
    if (answers.findIndex((each) => each.questionId === questionId) < index) {
      return [{ path: `${path}.questionId`, message: 'is answered twice' }];
    }
    if (values.length === 0) return [{ path: `${path}.values`, message: 'must have an option' }];
    if (!isMultiple(question) && values.length > 1) {
      return [{ path: `${path}.values`, message: 'must have one option' }];
    }
    return values.flatMap((value, place) => {
      const isOption = question.options.some((option) => option.value === value);
      if (!isOption) return [{ path: `${path}.values[${place}]`, message: 'is no option of this question' }];
      return values.indexOf(value) < place ? [{ path: `${path}.values[${place}]`, message: 'is chosen twice' }] : [];
    });
  });
  const missing = questions.filter(({ questionId }) => !answers.some((answer) => answer.questionId === questionId));
  return [...given, ...missing.map(({ questionId }) => ({ path: 'answers', message: `has none for ${questionId}` }))];
}

export function isMultiple({ options }: Question): boolean {
  return options.filter(({ isCorrect }) => isCorrect).length > 1;
}

/** `superseded` if other answers arrived first, in whatever order they were sent. */
export function outcomeOfAnswers(stored: QuizOutcome | null, sent: Answers | undefined) {
  if (!stored || !sent) return 'stored';
  const inOrder = (answers: Answers) =>
    answers.map(({ questionId, values }) => JSON.stringify([questionId, values.toSorted()])).toSorted();
  return isDeepStrictEqual(inOrder(stored.answers), inOrder(sent)) ? 'stored' : 'superseded';
}

/** @param answers that have no problems */
export function outcomeOf(questions: readonly Question[], answers: Answers, version: string): QuizOutcome {
  const score = questions.filter((question) => isRight(question, answers)).length;
  return { version, answers, score, maxScore: questions.length };
}

export function resultOf(questions: readonly Question[], { version, answers, score, maxScore }: QuizOutcome) {
  return {
    version,
    score,
    maxScore,
    questions: questions.map((question) => ({
      questionId: question.questionId,
      isCorrect: isRight(question, answers),
      correctValues: rightValues(question),
      explanation: question.explanation,
    })),
  };
}

/** A question as it is asked: without which option is right. */
export function asked(question: Question) {
  const { questionId, text, options } = question;
  return {
    questionId,
    text,
    isMultiple: isMultiple(question),
    options: options.map(({ value, text: said }) => ({ value, text: said })),
  };
}

function rightValues({ options }: Question): string[] {
  return options.filter(({ isCorrect }) => isCorrect).map(({ value }) => value);
}

function isRight(question: Question, answers: Answers): boolean {
  const chosen = new Set(answers.find(({ questionId }) => questionId === question.questionId)?.values);
  const right = rightValues(question);
  return chosen.size === right.length && right.every((value) => chosen.has(value));
}
