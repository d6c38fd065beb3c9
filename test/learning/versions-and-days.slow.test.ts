import { rm } from 'node:fs/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dependenciesOf } from '../../bin/seed.ts';
import { readCourseFolder } from '../../functions/learning/jobs/course-folder.ts';
import { publishCourse } from '../../functions/learning/jobs/publish-course.ts';
import { eventually } from '../eventually.ts';
import { openStage, type Person, type Stage } from '../sleep/stage.ts';
import { folderOf, index } from './courses.ts';
import { rightAnswers, texts, unitPath } from './people.ts';

/** Courses over the weeks of an entitlement and over two versions, on a stage whose clock is set. */

let stage: Stage;
let place: ReturnType<typeof dependenciesOf>;
let staff: Person;
beforeAll(async () => {
  stage = await openStage();
  place = dependenciesOf(stage.access);
  await stage.setClock('2027-06-01T10:00:00.000Z');
  staff = await stage.signedIn('admin', 'medinfo');
});
afterAll(async () => {
  place.dynamo.destroy();
  place.s3.destroy();
  await stage.close();
});

async function inProgramme(programmeId = 'insomnia-basic'): Promise<Person> {
  const me = await stage.signedIn('patient', 'sleepcare');
  await redeem(me, programmeId);
  return me;
}

async function redeem(me: Person, programmeId: string) {
  const { body } = await staff.ask('POST', '/access-codes/batches', {
    body: {
      ...{ count: 1, kind: 'clinic', programmeId, grantsDays: 30 },
      redeemBy: '2098-12-31T23:59:59Z',
    },
  });
  const { status } = await me.ask('POST', '/access-codes/redeem', { body: { code: body.codes[0].code } });
  expect(status).toBe(200);
}

async function completeFirstModule(me: Person) {
  for (const name of texts) expect((await complete(me, unitPath(name))).status).toBe(200);
  expect((await complete(me, unitPath('check'), { answers: rightAnswers })).status).toBe(200);
}

const complete = (me: Person, path: string, body: object = {}) => me.ask('POST', `${path}/complete`, { body });
const move = (me: Person, path: string) => me.ask('PUT', `${path}/progress`, { body: { position: 5, percent: 5 } });
const patch = (me: Person, body: object) => me.ask('PATCH', '/users/me', { body });
const kinds = ({ body }: { body: { detail: { lockedBy: { kind: string }[] } } }) =>
  body.detail.lockedBy.map(({ kind }) => kind);

describe('over the weeks of an entitlement that began on 1 June in Berlin', () => {
  const second = unitPath('bed-means-sleep');
  const third = unitPath('less-time-in-bed');
  let me: Person;
  let selfGuided: Person;
  beforeAll(async () => {
    [me, selfGuided] = [await inProgramme(), await inProgramme('insomnia-self-guided')];
    for (const each of [me, selfGuided]) await completeFirstModule(each);
  });

  test('the second module opens at midnight of day 7 where the patient is', async () => {
    const other = await inProgramme();
    await patch(other, { timezone: 'America/New_York' });
    await stage.setClock('2027-06-07T22:00:30.000Z');
    await eventually(async () => expect((await me.ask('GET', second)).status).toBe(200));
    expect(kinds(await other.ask('GET', second))).toEqual(['unit', 'day']);
    await patch(other, { timezone: 'Europe/Berlin' });
    expect(kinds(await other.ask('GET', second))).toEqual(['unit']);
    await stage.setClock('2027-06-07T21:59:30.000Z');
    await eventually(async () => expect((await me.ask('GET', second)).body.code).toBe('UNIT_LOCKED'));
    await stage.setClock('2027-06-07T22:00:30.000Z');
    await eventually(async () => expect((await move(me, second)).status).toBe(200));
  });

  test('what was begun stays open on a flight to where it is day 6, and the home screen says which day it is', async () => {
    await patch(me, { timezone: 'America/New_York' });
    expect((await me.ask('GET', second)).status).toBe(200);
    await eventually(async () => {
      expect((await me.ask('GET', '/users/me/programme')).body).toMatchObject({
        date: '2027-06-07',
        programmes: [{ day: 6 }],
        units: [{ unitId: 'sleep-basics.bed-means-sleep' }],
      });
    });
    await patch(me, { timezone: 'Europe/Berlin' });
    expect((await me.ask('GET', '/users/me/programme')).body).toMatchObject({
      date: '2027-06-08',
      programmes: [{ day: 7 }],
    });
  });

  test('the text on the sleep window, and the package, are those of the programme; in both, those with a physician', async () => {
    expect((await complete(selfGuided, second)).status).toBe(200);
    const shown = async (locale: string) => {
      const { status, body } = await selfGuided.ask('GET', `${third}?locale=${locale}`);
      expect(status).toBe(200);
      const { modules } = (await selfGuided.ask('GET', `/learning/courses/sleep-basics?locale=${locale}`)).body;
      const zip = unzipSync(new Uint8Array(await (await fetch(modules[1].package.url)).arrayBuffer()));
      const text = await (await fetch(body.text.url)).text();
      const name = `units/less-time-in-bed.${body.programmeId}.${locale}.md`;
      expect(strFromU8(zip[name] ?? new Uint8Array())).toBe(text);
      expect(JSON.parse(strFromU8(zip['module.json'] ?? new Uint8Array()))).toMatchObject({
        programmeId: body.programmeId,
      });
      return [body.programmeId, text];
    };
    const alone = 'insomnia-self-guided';
    expect(await shown('en')).toEqual([alone, expect.stringContaining('no physician looks')]);
    expect(await shown('de')).toEqual([alone, expect.stringContaining('sieht keine Ärztin und kein Arzt')]);
    await redeem(selfGuided, 'insomnia-basic');
    expect(await shown('en')).toEqual(['insomnia-basic', expect.stringContaining('a physician looks at the proposal')]);
    expect((await selfGuided.ask('GET', second)).body.programmeId).toBeNull();
  });

  test('when it has ended: what a phone recorded before is taken with its time, and what is done is taken again', async () => {
    await stage.setClock('2027-07-02T10:00:00.000Z');
    await eventually(async () => expect(kinds(await complete(me, third))).toContain('entitlement'));
    await eventually(async () => expect(kinds(await move(me, third))).toContain('entitlement'));
    expect((await move(me, unitPath('two-drives'))).body).toMatchObject({ percent: 100, position: 5 });
    const at = (recordedAt: string) => complete(me, second, { recordedAt });
    const late = await at('2027-06-20T08:00:00.000Z');
    expect(late.body.progress).toMatchObject({ percent: 100, completedAt: '2027-06-20T08:00:00.000Z' });
    // The phone that was first comes second; one that was there before the entitlement was not.
    const first = await at('2027-06-15T08:00:00.000Z');
    expect(first.body.progress.completedAt).toBe('2027-06-15T08:00:00.000Z');
    expect((await at('2027-05-15T08:00:00.000Z')).body).toEqual(first.body);
    expect((await complete(me, second)).body).toEqual(first.body);
  });
});

describe('over two versions of a course', () => {
  const quiz = '/learning/units/late.quiz';
  const text = '/learning/units/late.text';
  const [one, two] = index.modules;
  const unitsOf = (questionId: string) => {
    const [quizUnit] = two?.units ?? [];
    const [question] = quizUnit && 'questions' in quizUnit ? (quizUnit.questions ?? []) : [];
    return [
      ...[one?.units[0], { ...quizUnit, questions: [{ ...question, questionId }] }],
      { ...one?.units[1], unlock: { questionnaire: 'who-5' } },
    ];
  };

  async function publish(version: string, units: unknown[], more: Record<string, null> = {}) {
    const folder = await folderOf({ ...index, courseId: 'late', version, modules: [{ ...one, units }] }, more);
    const { course, faults } = await readCourseFolder(folder);
    await rm(folder, { recursive: true });
    if (!course) throw new Error(JSON.stringify(faults));
    const occasion = { application: 'medinfo', actor: 'publish-content', requestId: 'r', realNow: new Date() };
    return publishCourse({ ...place, bucket: place.courseFiles }, course, occasion);
  }
  beforeAll(() => publish('1', unitsOf('old')));

  test('a page of the list goes on where the one before ended', async () => {
    const me = await stage.signedIn('patient', 'sleepcare');
    const first = (await me.ask('GET', '/learning/courses?limit=1')).body;
    const cursor = encodeURIComponent(first.metadata.nextCursor);
    const rest = (await me.ask('GET', `/learning/courses?limit=1&cursor=${cursor}`)).body;
    const ids = [first, rest].flatMap(({ items }) => items.map(({ courseId }: { courseId: string }) => courseId));
    expect(ids).toEqual(['late', 'sleep-basics']);
  });

  test('a module that is open is no package while something else than its own units locks one of them', async () => {
    const me = await stage.signedIn('patient', 'sleepcare');
    const { body } = await me.ask('GET', '/learning/courses/late');
    expect(body.modules).toMatchObject([{ isUnlocked: true, package: null }]);
  });

  test('a text is in the language of the profile, and is what was published, whatever was put over it', async () => {
    const me = await stage.signedIn('patient', 'sleepcare');
    await patch(me, { locale: 'de-AT' });
    const { body } = await me.ask('GET', text);
    expect(body.locale).toBe('de');
    const Key = decodeURIComponent(new URL(body.text.url).pathname).replace(/^.*(?=files\/)/, '');
    await place.s3.send(new PutObjectCommand({ Bucket: place.courseFiles, Key, Body: 'Something else' }));
    expect(await (await fetch((await me.ask('GET', text)).body.text.url)).text()).toContain('Mit [einem Link]');
  });

  test('a quiz is judged and explained by the version that the phone has, and is refused by no newer one', async () => {
    const [me, other] = [await stage.signedIn('patient', 'sleepcare'), await stage.signedIn('patient', 'sleepcare')];
    await publish('2', unitsOf('new').slice(1), { 'units/text.en.md': null, 'units/text.de.md': null });
    const answers = [{ questionId: 'old', values: ['a'] }];
    const current = await complete(other, quiz, { answers });
    expect([current.status, current.body.detail.issues[0].path]).toEqual([400, 'answers[0].questionId']);
    const unknown = await complete(other, quiz, { answers, version: '9' });
    expect([unknown.status, unknown.body.detail.issues]).toMatchObject([400, [{ in: 'body', path: 'version' }]]);
    const done = await complete(me, quiz, { answers, version: '1' });
    expect(done.body).toMatchObject({
      progress: { quiz: { score: 1, maxScore: 1 } },
      result: { version: '1', questions: [{ questionId: 'old', isCorrect: true, correctValues: ['a'] }] },
    });
    // The unit is asked as it is now, and the result is of what was answered.
    const { body } = await me.ask('GET', quiz);
    expect(body).toMatchObject({ version: '2', questions: [{ questionId: 'new' }], result: done.body.result });
    // A unit that the new version has no more.
    expect((await complete(me, text)).body.code).toBe('UNIT_NOT_FOUND');
    expect((await complete(me, text, { version: '1' })).body.progress).toMatchObject({ percent: 100 });
    // The rules of the version that is named count: its questionnaire is looked for.
    expect(kinds(await complete(me, '/learning/units/late.film', { version: '1' }))).toEqual(['questionnaire']);
  });
});
