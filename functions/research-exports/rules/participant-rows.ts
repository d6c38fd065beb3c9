import { createHmac } from 'node:crypto';
import type { UnitProgress } from '../../learning/rules.ts';
import type { Response } from '../../questionnaire-responses/rules.ts';
import type { Answer, Definition, Item } from '../../questionnaires/rules.ts';
import { type EntryContent, type Episode, figuresOf, type Night, sources, wallTime } from '../../sleep/rules.ts';
import type { Row } from './columns.ts';
import { shifted } from './date-shift.ts';

/**
 * What is exported from each row of a participant: codes, numbers and times. A text that somebody typed or an id that a phone made
 * is not exported; nor is a code that we did not publish, which somebody with a function's rights could have put there. Times are local times, because a UTC offset would show where somebody is. Pure.
 */

export type Participant = {
  readonly pseudonym: string;
  readonly userId: string;
  /** The key of the study. */
  readonly key: Uint8Array;
  /** How many days the dates are moved back; 0 if they are unchanged. */
  readonly shiftDays: number;
};

export function diaryRow(
  { pseudonym, shiftDays }: Participant,
  { date, content, night }: { readonly date: string; readonly content: EntryContent; readonly night: Night },
): Row {
  const at = (instant: string | null) => instant && localTime(instant, content.zone, shiftDays);
  const { slept, sleepOnsetMinutes, awakenings, wakeMinutes, tryingToSleepAfterWakeMinutes, quality } = content;
  const { midSleep: _midSleep, ...figures } = figuresOf(night);
  return {
    pseudonym,
    date: shifted(date, shiftDays),
    slept,
    inBedAt: at(content.inBedAt),
    lightsOffAt: at(content.lightsOffAt),
    sleepOnsetMinutes,
    awakenings,
    wakeMinutes,
    finalWakeAt: at(content.finalWakeAt),
    tryingToSleepAfterWakeMinutes,
    outOfBedAt: at(content.outOfBedAt),
    quality,
    napCount: content.naps?.count ?? null,
    napMinutes: content.naps?.minutes ?? null,
    medicationCount: content.medication?.length ?? null,
    alcoholDrinks: content.alcohol?.drinks ?? null,
    caffeineDrinks: content.caffeine?.drinks ?? null,
    ...figures,
  };
}

export function episodeRow({ pseudonym, shiftDays }: Participant, episode: Episode & { readonly zone: string }): Row {
  const { date, source, startAt, endAt, zone, seconds } = episode;
  return {
    ...seconds,
    pseudonym,
    date: shifted(date, shiftDays),
    source: sources.includes(source) ? source : null,
    startAt: localTime(startAt, zone, shiftDays),
    endAt: localTime(endAt, zone, shiftDays),
  };
}

/** A row for each answer and each score. Answers in free text are left out, and so are dates, which can be birthdays. */
export function responseRows(participant: Participant, response: Response, definition: Definition): Row[] {
  const { pseudonym, shiftDays } = participant;
  const { questionnaireId, version, completedAt } = response;
  const common = {
    pseudonym,
    response: responseCode(participant, response.responseId),
    questionnaireId,
    version,
    completedOn: completedAt && shifted(completedAt.slice(0, 10), shiftDays),
  };
  const items = new Map(definition.items.map((item) => [item.linkId, item]));
  const answers = response.answers.flatMap((answer) => {
    const item = items.get(answer.linkId);
    const coded = item ? codedAnswer(item, answer) : null;
    return coded ? [{ ...common, kind: 'answer', variable: answer.linkId, ...coded, band: null, missing: null }] : [];
  });
  const scores = (response.scores ?? []).flatMap(({ scoreId, value, bandId, missing }) => {
    const score = definition.scores.find((each) => each.scoreId === scoreId);
    if (!score) return [];
    const band = score.bands?.some((each) => each.bandId === bandId) ? bandId : null;
    const result = { type: 'decimal', value: Number.isFinite(value) ? value : null, optionScore: null, band, missing };
    return [{ ...common, kind: 'score', variable: scoreId, ...result }];
  });
  return [...answers, ...scores];
}

/** Null for a choice without an option in the definition: stored answers are checked again before they are exported. */
function codedAnswer({ type, options = [] }: Item, answer: Answer) {
  if (type === 'choice') {
    const option = options.find(({ value }) => value === answer.choice);
    return option ? { type, value: option.value, optionScore: option.score ?? null } : null;
  }
  const value = type === 'integer' || type === 'decimal' || type === 'boolean' ? (answer[type] ?? null) : null;
  const isOfType = type === 'boolean' ? typeof value === 'boolean' : Number.isFinite(value);
  if (value !== null) return isOfType ? { type, value, optionScore: null } : null;
  const isClock = type === 'time' && answer.time !== undefined && /^\d\d:\d\d$/.test(answer.time);
  return isClock ? { type, value: answer.time ?? null, optionScore: null } : null;
}

/** A hash, because the phone made the id and could have put any text into it. */
function responseCode({ key, userId }: Participant, responseId: string): string {
  return createHmac('sha256', key).update(`response#${userId}#${responseId}`).digest('hex').slice(0, 16);
}

/** Of a course and a unit, as the course's file names them: both are too short for a user's id, and none is an address. */
const unitIds = /^[a-z0-9][a-z0-9-]{0,30}\.[a-z0-9][a-z0-9-]{0,30}$/;

/** None for a unit that no course can have. */
export function unitRows({ pseudonym, shiftDays }: Participant, courseId: string, unit: UnitProgress): Row[] {
  const { unitId, percent, completedAt, quiz } = unit;
  if (!unitIds.test(unitId) || !unitId.startsWith(`${courseId}.`)) return [];
  return [
    {
      pseudonym,
      courseId,
      unitId,
      percent,
      completedOn: completedAt && shifted(completedAt.slice(0, 10), shiftDays),
      quizScore: quiz?.score ?? null,
      quizMaxScore: quiz?.maxScore ?? null,
    },
  ];
}

/** `2026-03-01T22:10` */
function localTime(instant: string, zone: string, shiftDays: number): string {
  const { date, minute } = wallTime(Date.parse(instant), zone);
  const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return shifted(`${date}T${clock}`, shiftDays);
}
