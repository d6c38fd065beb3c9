import { expect } from 'vitest';
import { tonight } from './guided.ts';
import { keepDiary, type Night, write } from './nights.ts';
import { readsOf } from './programmes.ts';
import { type Says, says } from './says.ts';
import { station, task } from './station.ts';
import {
  answer,
  answerStart,
  both,
  entitle,
  newWalk,
  type ProgrammeId,
  releaseFor,
  releaseOwn,
  screen,
  type Walk,
  type Walker,
  type Walks,
} from './walk.ts';

/** Ninety days of a patient whose window a physician releases each week, and of one who releases it alone. */

type Week = {
  readonly day: number;
  /** The nights of the week before, in the window of then. */
  readonly bed: string;
  readonly awake: readonly [sleepOnsetMinutes: number, wakeMinutes: number];
  /** The next window, from its bed time to seven. */
  readonly minutes: number;
  readonly why: 'first' | 'longer' | 'same' | 'shorter';
  /** Besides sleepiness, which is asked each week. */
  readonly asks?: readonly ('mood' | 'isi')[];
  /** Whether the screening is more than 28 days old. */
  readonly screens?: boolean;
};

/** Computed by hand from the rules: at least 90 % is a quarter of an hour more, below 80 % is a quarter of an hour less. */
export const weeks: readonly Week[] = [
  { day: 12, bed: '01:00', awake: [10, 10], minutes: 375, why: 'longer' },
  { day: 19, bed: '00:45', awake: [10, 10], minutes: 390, why: 'longer', asks: ['mood'] },
  { day: 26, bed: '00:30', awake: [30, 30], minutes: 390, why: 'same' },
  { day: 33, bed: '00:30', awake: [60, 45], minutes: 375, why: 'shorter', asks: ['mood'], screens: true },
  { day: 40, bed: '00:45', awake: [10, 10], minutes: 390, why: 'longer' },
  // In the first night of this week summer time begins.
  { day: 47, bed: '00:30', awake: [10, 10], minutes: 405, why: 'longer', asks: ['isi', 'mood'] },
  { day: 54, bed: '00:15', awake: [10, 10], minutes: 420, why: 'longer' },
  { day: 61, bed: '00:00', awake: [40, 40], minutes: 420, why: 'same', asks: ['mood'], screens: true },
  { day: 68, bed: '00:00', awake: [10, 10], minutes: 435, why: 'longer' },
  { day: 75, bed: '23:45', awake: [10, 10], minutes: 450, why: 'longer', asks: ['mood'] },
  { day: 82, bed: '23:30', awake: [30, 30], minutes: 450, why: 'same' },
  { day: 89, bed: '23:30', awake: [10, 10], minutes: 465, why: 'longer', asks: ['isi', 'mood'], screens: true },
];

export type Course = { readonly walk: Walk; readonly programmeId: ProgrammeId };

/** The window before the one of this week. */
const minutesBefore = ({ day }: Week) => weeks.find((each) => each.day === day - 7)?.minutes ?? 360;

const isGuided = ({ programmeId }: Course) => programmeId === 'insomnia-self-guided';

const release = (walks: Walks, course: Course, walker: Walker) =>
  isGuided(course) ? releaseOwn(walker) : releaseFor(walks, walker);

const needs = (course: Course, texts: Says) => (isGuided(course) ? [] : [texts.byPhysician]);

/** Day 0: nothing but the questionnaires of the start. */
export async function begins(walks: Walks, programmeId: ProgrammeId): Promise<Course> {
  const walk = await newWalk(walks);
  await both(walk, (walker) => entitle(walks, walker, programmeId));
  return { walk, programmeId };
}

export async function answersStart(walks: Walks, course: Course): Promise<void> {
  const { walk, programmeId } = course;
  const asked = isGuided(course) ? 'self-guided-start: phq-9 isi ess' : 'sleep-start: phq-9 gad-7 isi ess';
  const until = walks.dateOf(7);
  await station(walks, walk, (texts) => ({
    ...{ status: 'none', waitingFor: texts.noDiary, diary: 'missing' },
    ...{ due: [`${asked} until ${until}`], messages: [texts.start(until)] },
  }));
  await both(walk, (walker) => answerStart(walker, programmeId));
}

/** Day 5: the fifth night allows the first window. */
export async function beginsWindow(walks: Walks, course: Course): Promise<void> {
  const { walk } = course;
  await both(walk, (walker) => keepDiary(walker, walks.dateOf(5), 5));
  await station(walks, walk, (texts) => ({
    ...{ status: 'none', release: isGuided(course) ? [texts.screeningNeeded] : [texts.byPhysician] },
    tasks: isGuided(course) ? [task('screening-due', texts.screeningNeeded, 'sleep-window-screening')] : [],
  }));
  await both(walk, async (walker) => {
    if (isGuided(course)) await screen(walker);
    expect(await release(walks, course, walker)).toMatchObject({ sequence: 1, minutes: 360, bedTime: '01:00' });
  });
  await station(walks, walk, (texts) => ({
    ...{
      status: 'active',
      times: tonight(walks, 5, 360),
      waitingFor: texts.weekNotOver,
      release: needs(course, texts),
    },
  }));
}

/** What is asked in a week, in its order: on the home screen, and in the message. */
function asked(walks: Walks, course: Course, { day, asks = [] }: Week, texts: Says) {
  const last = walks.dateOf(90);
  const until = (to: number) => (walks.dateOf(to) < last ? walks.dateOf(to) : last);
  const [open, isSix] = [until(day + 6), day === 47];
  const isi = { to: until(isSix ? 49 : 91), bundle: 'self-guided-course: isi', text: texts.course };
  const prescribed = isSix
    ? { bundle: 'sleep-six-weeks: gad-7 isi', text: texts.sixWeeks }
    : { bundle: 'sleep-twelve-weeks: isi', text: texts.twelveWeeks };
  const due = [
    ...(asks.includes('isi') ? [{ ...isi, ...(isGuided(course) ? {} : prescribed) }] : []),
    ...(asks.includes('mood') ? [{ to: open, bundle: 'window-mood: phq-9', text: texts.mood }] : []),
    { to: open, bundle: 'window-sleepiness: ess', text: texts.ess },
  ];
  return {
    due: due.map(({ bundle, to }) => `${bundle} until ${to}`),
    messages: [due.map(({ text, to }) => text(to)).join('\n')],
  };
}

/** Everything that a patient is asked for before the next window. */
async function answersAll(course: Course, walker: Walker, { day, asks = [], screens = false }: Week): Promise<void> {
  const isSix = day === 47;
  if (asks.includes('isi')) {
    const prescribed = isSix ? 'sleep-six-weeks' : 'sleep-twelve-weeks';
    const bundleId = isGuided(course) ? 'self-guided-course' : prescribed;
    if (isSix && !isGuided(course)) await answer(walker, 'gad-7', 4, bundleId);
    await answer(walker, 'isi', 12, bundleId);
  }
  if (asks.includes('mood')) await answer(walker, 'phq-9', 2, 'window-mood');
  await answer(walker, 'ess', 7, 'window-sleepiness');
  if (screens && isGuided(course)) await screen(walker);
}

/** What a patient sees a week later, before any answer. */
function afterWeek(walks: Walks, course: Course, week: Week): Promise<void> {
  const { day, screens = false } = week;
  return station(walks, course.walk, (texts) => {
    const screening = screens ? [task('screening-due', texts.screeningNeeded, 'sleep-window-screening')] : [];
    const tasks = [...screening, task('measurement-due', texts.measurementNeeded, 'ess')];
    return {
      ...{ status: 'active', times: tonight(walks, day, minutesBefore(week)) },
      release: isGuided(course) ? tasks.map(({ text }) => text) : [texts.byPhysician],
      ...{ tasks: isGuided(course) ? tasks : [], ...asked(walks, course, week, texts) },
    };
  });
}

/** A week is over: its diary, its questionnaires, its window. */
export async function goesThrough(walks: Walks, course: Course, week: Week): Promise<void> {
  const { walk } = course;
  const { day, bed, awake, minutes, why } = week;
  const [sleepOnsetMinutes, wakeMinutes] = awake;
  const night: Night = { bed, rise: '07:00', sleepOnsetMinutes, awakenings: 1, wakeMinutes };
  await both(walk, (walker) => keepDiary(walker, walks.dateOf(day), 5, night));
  await afterWeek(walks, course, week);
  await both(walk, async (walker) => {
    await answersAll(course, walker, week);
    const released = await release(walks, course, walker);
    expect(released).toMatchObject({ minutes, risingTime: '07:00', from: walks.dateOf(day) });
    if (isGuided(course)) expect(released.because).toMatchObject([{ text: says[walker.language][why] }]);
  });
}

/** Day 12: the second module of the course is open. */
export const reads = (course: Course) => readsOf(course.walk, isGuided(course) ? 'nobodyLooks' : 'physicianLooks');

/** Day 40: in the next night summer time begins. Six and a half hours before seven o'clock, which is five by UTC. */
export const spring = {
  evening: (walks: Walks, { walk }: Course) =>
    station(walks, walk, (texts) => ({
      ...{ status: 'active', times: ['2027-03-27T22:30:00.000Z', '2027-03-28T05:00:00.000Z'] },
      waitingFor: texts.weekNotOver,
    })),
  /** Day 47: asleep from 22:35 to 04:30 by UTC, the middle is 01:32:30, which is 03:32 in Berlin. */
  later: ({ walk }: Course) =>
    both(walk, async (walker) => {
      const night = {
        ...{ inBedAt: '2027-03-27T22:30:00Z', lightsOffAt: '2027-03-27T22:30:00Z', sleepOnsetMinutes: 5 },
        ...{ awakenings: 0, wakeMinutes: 0, finalWakeAt: '2027-03-28T04:30:00Z', outOfBedAt: '2027-03-28T05:00:00Z' },
      };
      await write(walker, '2027-03-28', night);
      const { figures } = (await walker.person.ask('GET', '/sleep/entries/2027-03-28')).body;
      expect(figures).toMatchObject({ midSleep: '03:32', timeInBedMinutes: 390, totalSleepMinutes: 355 });
      const { body } = await walker.person.ask('GET', '/sleep/summary?from=2027-03-28&to=2027-03-28');
      expect(body.midSleep.mean).toBe('03:32');
    }),
};

/** Day 91: the entitlement ended on the day before. */
export const isOver = (walks: Walks, { walk }: Course) =>
  station(walks, walk, (texts) => ({
    ...{ status: 'ended', text: texts.ended, release: [texts.byPhysician] },
    ...{ tasks: [task('ended', texts.ended)], diary: null },
  }));

const dayMs = 86_400_000;

/** In any seven days. */
export async function remindedAtMostTwiceAWeek(course: Course): Promise<void> {
  await both(course.walk, async ({ person }) => {
    const { items } = (await person.ask('GET', '/agent-board/messages?limit=100')).body;
    const sent = items.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt.slice(0, 10)));
    expect(sent).toHaveLength(weeks.length + 1);
    for (const at of sent) {
      expect(sent.filter((other: number) => other > at - 7 * dayMs && other <= at).length).toBeLessThanOrEqual(2);
    }
  });
}
