import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { addDays } from '../../../functions/sleep/rules/dates.ts';
import { eventually } from '../../eventually.ts';
import { adding, choosing, instrument, phq9 } from '../../questionnaires/instruments.ts';
import { screeningDraft, selfGuided } from '../screening.ts';
import { openStage, type Person } from '../stage.ts';
import { releaseOf } from '../therapy-people.ts';
import { type Language, languages } from './says.ts';

/** Patients who walk through a therapy on one stage along one timeline: each walk once in German and once in English. */

export type ProgrammeId = 'insomnia-basic' | 'insomnia-self-guided';

export type Walker = {
  readonly person: Person;
  readonly language: Language;
  /** As the phone sends it. */
  readonly headers: { readonly 'Accept-Language': string };
  /** The ids of the messages that earlier stations saw. */
  readonly known: Set<string>;
  /** No text may say them. */
  readonly scores: Set<number>;
  /** What ends a programme early: the last code of it. */
  readonly endings: Map<ProgrammeId, () => Promise<void>>;
};

/** The same walk in each language. */
export type Walk = Readonly<Record<Language, Walker>>;

const locales: Readonly<Record<Language, string>> = { de: 'de-DE', en: 'en-GB' };

/** Both at once. It ends when both have ended, so that a step which fails leaves nothing behind for the next one. */
export async function both(walk: Walk, step: (walker: Walker) => Promise<unknown>): Promise<void> {
  const steps = await Promise.allSettled(languages.map((language) => step(walk[language])));
  for (const done of steps) if (done.status === 'rejected') throw done.reason;
}

/** Every function knows a new time within a second (lib/runtime/clock.ts). */
const longestMs = 1000;

/** @param begin the date of day 0 */
export async function openWalks(begin: string) {
  const stage = await openStage();
  const [tools, doctor, safety, admin] = await Promise.all([
    stage.signedIn('developer', 'sleepcare'),
    stage.signedIn('physician', 'medinfo'),
    stage.signedIn('clinical-safety', 'medinfo'),
    stage.signedIn('admin', 'medinfo'),
  ]);
  expect((await doctor.ask('GET', '/users/me')).status).toBe(200);
  const { body: site } = await admin.ask('POST', '/crm/sites', { body: { name: 'Walks', timezone: 'Europe/Berlin' } });
  const staff = `/crm/sites/${site.siteId}/staff/${doctor.user}`;
  expect((await admin.ask('PUT', staff, { body: { name: 'Dr. Ada Example' } })).status).toBe(200);
  const dateOf = (day: number) => addDays(begin, day);
  return {
    ...{ stage, doctor, safety, admin, site, dateOf },
    /** About noon in Berlin, and each day a minute later: what is asked every seven days is asked on the seventh. */
    async itIs(day: number) {
      const at = new Date(Date.parse(`${dateOf(day)}T10:00:00.000Z`) + day * 60_000);
      expect((await tools.ask('PUT', '/time-machine', { body: { now: at.toISOString() } })).status).toBe(200);
      // No function keeps an older time for longer. To start all of them anew each day costs more.
      const known = Date.now() + longestMs;
      await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(known));
    },
    close: () => stage.close(),
  };
}

export type Walks = Awaited<ReturnType<typeof openWalks>>;

/** What runs every hour. A station reads what it has sent. */
export async function remind({ stage }: Pick<Walks, 'stage'>): Promise<void> {
  expect(await stage.runNow('remind-of-questionnaires')).toBe(200);
}

/** Is with the site, and shares. */
async function walker({ stage, site }: Walks, language: Language): Promise<Walker> {
  const person = await stage.signedIn('patient', 'sleepcare');
  expect((await person.ask('GET', '/users/me')).status).toBe(200);
  expect((await person.ask('POST', '/users/me/sites', { body: { code: site.code } })).status).toBeLessThan(300);
  expect((await person.ask('POST', '/agreements/versions/data-sharing-1.0/agree')).status).toBeLessThan(300);
  const body = { locale: locales[language], timezone: 'Europe/Berlin', birthYear: 1980 };
  expect((await person.ask('PATCH', '/users/me', { body })).status).toBe(200);
  const headers = { 'Accept-Language': locales[language] };
  return { person, language, headers, known: new Set(), scores: new Set(), endings: new Map() };
}

/** Two patients who are not in a programme yet. */
export async function newWalk(walks: Walks): Promise<Walk> {
  return { de: await walker(walks, 'de'), en: await walker(walks, 'en') };
}

/** Redeems a code. */
export async function entitle({ admin }: Walks, { person, endings }: Walker, programmeId: ProgrammeId): Promise<void> {
  const { body } = await admin.ask('POST', '/access-codes/batches', { body: { ...selfGuided, programmeId } });
  const [{ code, accessCodeId }] = body.codes;
  expect((await person.ask('POST', '/access-codes/redeem', { body: { code } })).status).toBe(200);
  endings.set(programmeId, async () => {
    const ended = { body: { endEntitlements: true } };
    expect((await admin.ask('POST', `/access-codes/${accessCodeId}/revoke`, ended)).status).toBe(200);
  });
}

/** Staff ends the programme. */
export async function end({ endings }: Walker, programmeId: ProgrammeId): Promise<void> {
  const ending = endings.get(programmeId);
  if (!ending) throw new Error(`${programmeId} was not redeemed`);
  await ending();
}

const drafts = {
  ess: (total: number) => ({ questionnaireId: 'ess', version: '1.0', answers: adding(instrument('ess'), total) }),
  isi: (total: number) => ({ questionnaireId: 'isi', version: '1.0', answers: adding(instrument('isi'), total) }),
  'gad-7': (total: number) => ({
    ...{ questionnaireId: 'gad-7', version: instrument('gad-7').version },
    answers: adding(instrument('gad-7'), total),
  }),
  /** Item 9 is 0. */
  'phq-9': (total: number) => ({
    ...{ questionnaireId: 'phq-9', version: '1.1' },
    answers: choosing(instrument('phq-9'), [total, 0, 0, 0, 0, 0, 0, 0, 0]),
  }),
} as const;

/** @returns the path of the completed response */
async function complete({ person }: Walker, draft: object): Promise<string> {
  const path = `/questionnaires/responses/${randomUUID()}`;
  const put = await person.ask('PUT', path, { body: draft });
  expect([put.status, put.text]).toEqual([200, expect.any(String)]);
  expect((await person.ask('POST', `${path}/complete`)).status).toBe(200);
  return path;
}

/** @param bundleId what asks for it; null: the patient answers without being asked */
export function answer(walker: Walker, name: keyof typeof drafts, total: number, bundleId: string | null = null) {
  walker.scores.add(total);
  return complete(walker, { ...drafts[name](total), ...(bundleId !== null && { bundleId }) });
}

/** Corrects a score of the sleepiness scale. @returns the path of the correction */
export async function amendSleepiness(walker: Walker, path: string, total: number): Promise<string> {
  walker.scores.add(total);
  const body = { responseId: randomUUID(), answers: drafts.ess(total).answers };
  expect((await walker.person.ask('POST', `${path}/amend`, { body })).status).toBe(200);
  return `/questionnaires/responses/${body.responseId}`;
}

/** Item 9 is 1. */
export const answerHopeless = (walker: Walker) =>
  complete(walker, { questionnaireId: 'phq-9', version: '1.1', answers: phq9(1, 0) });

export const screen = (walker: Walker) => complete(walker, screeningDraft());

/** What a programme asks at its start. */
export async function answerStart(walker: Walker, programmeId: ProgrammeId): Promise<void> {
  const bundleId = programmeId === 'insomnia-basic' ? 'sleep-start' : 'self-guided-start';
  await answer(walker, 'phq-9', 3, bundleId);
  if (programmeId === 'insomnia-basic') await answer(walker, 'gad-7', 6, bundleId);
  await answer(walker, 'isi', 18, bundleId);
  await answer(walker, 'ess', 5, bundleId);
}

/** The patient looks at the proposal, and releases it. @returns the released window */
export async function releaseOwn({ person, headers }: Walker) {
  const { proposal } = (await person.ask('GET', '/sleep/window')).body;
  const body = { proposalId: proposal?.proposalId ?? 'there is no proposal' };
  const released = await person.ask('POST', '/sleep/window/release', { body, headers });
  expect([released.status, released.body]).toEqual([200, expect.objectContaining({ by: 'screening' })]);
  return released.body;
}

/** The physician looks at the proposal, and releases it. */
export async function releaseFor({ stage, doctor }: Walks, { person }: Walker) {
  const { proposal } = (await doctor.ask('GET', `/users/${person.user}/sleep/window`)).body;
  const proposalId = proposal?.proposalId ?? 'there is no proposal';
  const released = await releaseOf({ stage, doctor }, person, { proposalId, confirmNotAnswered: [] });
  expect([released.status, released.body]).toEqual([200, expect.objectContaining({ by: 'physician' })]);
  return released.body;
}
