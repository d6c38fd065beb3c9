import { client } from '../api.ts';
import { daysAgo, entryOf, episodeOf } from '../sleep/diary.ts';

/** A patient who has something of each kind, over HTTP. */

const marketing = '/users/agreements/marketing';
export const who5 = {
  questionnaireId: 'who-5',
  version: '1.0',
  answers: [1, 2, 3, 4, 5].map((number) => ({ linkId: `who5-${number}`, choice: '3' })),
};

export async function patientWithData() {
  const me = await client();
  const done = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body as Record<string, string>;
  };
  await done(me.patch('/users/me', { body: { locale: 'de-DE', timezone: 'Europe/Berlin' } }));
  await done(me.post('/agreements/versions/marketing-1.0/agree', { body: { locale: 'de' } }));
  const { receipt } = await done(me.get(`${marketing}/receipt`));
  await done(me.delete(`${marketing}/consent`));
  await done(me.post('/agreements/versions/research-data-1.0/agree', { body: { locale: 'en' } }));
  const responses = '/questionnaires/responses';
  // An id that FHIR does not know, and that another patient has as well.
  await done(me.put(`${responses}/first_one`, { body: who5 }));
  await done(me.post(`${responses}/first_one/complete`));
  const answers = who5.answers.map((answer) => ({ ...answer, choice: '2' }));
  await done(me.post(`${responses}/first_one/amend`, { body: { responseId: 'second', answers } }));
  await done(me.put(`${responses}/draft`, { body: who5 }));
  await done(me.put(`/sleep/entries/${daysAgo(1)}`, { body: entryOf(daysAgo(1), { notes: 'Slept <well>.' }) }));
  await done(
    me.put(`/sleep/entries/${daysAgo(2)}`, { body: { zone: 'UTC', slept: false, naps: { count: 1, minutes: 20 } } }),
  );
  await done(me.post('/sleep/episodes', { body: { episodes: [episodeOf(daysAgo(1)), episodeOf(daysAgo(3))] } }));
  return { me, receipt };
}

type Resource = { resourceType: string; id: string } & Record<string, unknown>;

/** All pages of a search, one after another. */
export async function allPages(get: Awaited<ReturnType<typeof client>>['get'], query = '') {
  const pages: Resource[][] = [];
  let next: string | undefined = query;
  while (next !== undefined) {
    const { status, body } = await get(`/users/me/fhir${next}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    pages.push((body.entry ?? []).map(({ resource }: { resource: Resource }) => resource));
    next = body.link.find(({ relation }: { relation: string }) => relation === 'next')?.url;
    if (pages.length > 100) throw new Error('it does not end');
  }
  return pages;
}
