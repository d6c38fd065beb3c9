import { afterAll, beforeAll, describe, test } from 'vitest';
import { autumn } from './clock-change.ts';
import { flagged } from './flagged.ts';
import { began, beginsWell } from './guided.ts';
import { leaving, twoProgrammes } from './programmes.ts';
import { reminded } from './reminded.ts';
import { neverAnswers, writesNothing } from './silent.ts';
import { answersAnew, atTheWheel, downwards, eleven, upwards } from './sleepy.ts';
import { openWalks, remind, type Walk, type Walks } from './walk.ts';

/** Self-guided patients whom no physician looks at, day by day, with the time machine: each in German and English. */

const walks = await openWalks('2026-10-16');
afterAll(() => walks?.close());

/** A day begins with the reminders of the morning. */
function onDay(day: number, stations: () => void): void {
  describe(`day ${day}`, () => {
    beforeAll(async () => {
      await walks.itIs(day);
      await remind(walks);
    });
    stations();
  });
}

const names = ['silent', 'lazy', 'sleepy', 'flagged', 'corrected', 'travelling', 'leaving'] as const;
type Name = (typeof names)[number] | 'twice' | 'reminded';
const people = new Map<Name, Walk>();

const stationOf = (name: Name, step: (walks: Walks, walk: Walk) => Promise<void>) => async () => {
  const walk = people.get(name);
  if (!walk) throw new Error(`${name} has not begun`);
  await step(walks, walk);
};

onDay(0, () => {
  test('they answer what is asked, and release their first window', async () => {
    for (const name of names) {
      const walk = await began(walks);
      people.set(name, walk);
    }
    people.set('twice', await twoProgrammes.begins(walks));
    await remind(walks);
    for (const name of names) await stationOf(name, beginsWell)();
  });
  test('both programmes at once: the physician releases', stationOf('twice', twoProgrammes.isPrescribed));
});

onDay(8, () => {
  test('the first reminder in a week', async () => {
    people.set('reminded', await reminded.once(walks));
  });
  test('the entitlement ends, and the window with it: how to go on', stationOf('leaving', leaving.ends));
  test('ESS 11: paused at once, without the score', stationOf('sleepy', eleven.answers));
  test('item 9 is 1: paused, somebody looks first, and the ticket is urgent', stationOf('flagged', flagged.answers));
  test('ESS 5 that is corrected to 11: paused', stationOf('corrected', upwards.corrects));
  test('without a diary the window stays as it is', stationOf('lazy', writesNothing.weekTwo));
  test('both programmes at once: the course says that a physician looks', stationOf('twice', twoProgrammes.goesOn));
  test('the evening before the clock changes: six hours of elapsed time', stationOf('travelling', autumn.evening));
});

onDay(9, () => {
  test('the second reminder in a week', stationOf('reminded', reminded.twice));
  test('ESS 8 on the next morning: still paused', stationOf('sleepy', eleven.nextMorning));
  test('acknowledged, and referred: seen, and still paused', stationOf('flagged', flagged.isAcknowledged));
  test('corrected back to 4: still paused', stationOf('corrected', upwards.correctsAgain));
  test('only the self-guided programme is left: the patient releases', stationOf('twice', twoProgrammes.isAlone));
  test('the morning after: the middle of the night is that of elapsed time', stationOf('travelling', autumn.morning));
});

onDay(12, () => {
  test('no third reminder in a week', stationOf('reminded', reminded.noThird));
  test('a proposal waits for another answer', stationOf('sleepy', eleven.stillPaused));
  test('ESS 8, four days later: the next window is a first one', stationOf('sleepy', eleven.ends));
  test('nodded off: paused a second time', stationOf('sleepy', eleven.again));
  test('nodded off at the wheel, with a prescribed window: paused at once', stationOf('twice', atTheWheel.nods));
  test('only `cleared` lifts what a flag has paused', stationOf('flagged', flagged.isCleared));
  test('a new answer after the corrections: the window does not come back', stationOf('corrected', answersAnew));
  test('a code after the end does not bring the window back', stationOf('leaving', leaving.comesBack));
});

onDay(15, () => {
  test('the third reminder, a week after the first', stationOf('reminded', reminded.later));
  test('ESS is not answered for 14 days: it is due, and the window stays', stationOf('silent', neverAnswers.due));
  test('after the second pause only a physician releases', stationOf('sleepy', eleven.byPhysician));
  test('who nodded off: the deletion of the entry changes nothing', stationOf('twice', atTheWheel.staysPaused));
  test('ESS 11 that is corrected to 5: paused', stationOf('travelling', downwards.corrects));
  test('without a diary in the third week', stationOf('lazy', writesNothing.weekThree));
});

onDay(22, () => {
  test('ESS is not answered for 21 days: paused', stationOf('silent', neverAnswers.paused));
  test('it is answered, and the window goes on', stationOf('silent', neverAnswers.answers));
  test('the questionnaires count from the window that the physician released', stationOf('sleepy', eleven.goesOn));
  test('a new answer a week later: the window does not come back', stationOf('travelling', downwards.answersAnew));
  test('without a diary in the fourth week', stationOf('lazy', writesNothing.weekFour));
});
