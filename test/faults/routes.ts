import { createHash, randomUUID } from 'node:crypto';
import { daysAgo, entryOf, episodeOf } from '../sleep/diary.ts';
import { entitledRoutes } from './entitled-routes.ts';
import { atSite, siteRoutes } from './site-routes.ts';
import { type Answer, asked, type Person, type Stage } from './stage.ts';
import { studyRoutes } from './study-routes.ts';
import { ticketRoutes } from './ticket-routes.ts';
import { urgentRoutes } from './urgent-routes.ts';

/** The routes of the matrix: who calls, what has to be there before, and the call itself. */

export type Opened = {
  /** What all calls to a dependency for this case carry, and no others: the user's id, as a rule. */
  readonly mark: string;
  readonly send: () => Promise<Answer>;
  /** The status of its success. */
  readonly status: number;
  /** Consent records of the user's `marketing` once it has succeeded. */
  readonly records?: number;
  /** Looks at what is there afterwards, however often it was asked for. */
  readonly leaves?: () => Promise<void>;
  readonly person: Person;
};

const agreeing = '/agreements/versions/marketing-1.0/agree';
const marketing = '/users/agreements/marketing';

const answered = '/questionnaires/responses/first';
const text = { title: 'Blood results', body: 'Private.' };
const who5 = {
  questionnaireId: 'who-5',
  version: '1.0',
  answers: [1, 2, 3, 4, 5].map((number) => ({ linkId: `who5-${number}`, choice: '3' })),
};

export const routes = {
  agree: (stage) => opened(stage, { records: 1 }, (me) => me.call('POST', agreeing)),
  'agree-to-versions': (stage) =>
    opened(stage, { records: 1 }, (me) =>
      me.call('POST', '/users/agreements', { versionIds: ['research-data-1.0', 'marketing-1.0'] }),
    ),
  'revoke-consent': async (stage) => {
    const open = await opened(stage, { records: 2 }, (me) => me.call('DELETE', `${marketing}/consent`));
    await asked(() => open.person.call('POST', agreeing));
    return open;
  },
  'list-agreements': (stage) => consenting(stage, '/users/agreements'),
  'list-consent-records': (stage) => consenting(stage, `${marketing}/history`),
  'read-own-consent-state': (stage) => consenting(stage, `${marketing}/state`),
  'read-receipt': (stage) => consenting(stage, `${marketing}/receipt`),
  'meet-user': (stage) => opened(stage, {}, (me) => me.call('GET', '/users/me')),
  'read-profile': (stage) => met(stage, (me) => me.call('GET', '/users/me')),
  'update-profile': (stage) => met(stage, (me) => me.call('PATCH', '/users/me', { locale: 'de' })),
  'read-own-erasure': (stage) => met(stage, (me) => me.call('GET', '/users/me/erasure')),
  'restore-account': async (stage) => {
    const open = await met(stage, (me) => me.call('POST', '/users/me/restore'));
    await asked(() => open.person.call('DELETE', '/users/me'));
    return open;
  },
  'request-export': async (stage) => ({
    ...(await met(stage, (me) => me.call('POST', '/users/me/exports'))),
    status: 202,
  }),
  'list-exports': (stage) => met(stage, (me) => me.call('GET', '/users/me/exports')),
  'read-export': async (stage) => {
    let exportId = '';
    const open = await met(stage, (me) => me.call('GET', `/users/me/exports/${exportId}`));
    exportId = (await asked(() => open.person.call('POST', '/users/me/exports'))).exportId;
    return open;
  },
  'list-own-sign-ins': (stage) => met(stage, (me) => me.call('GET', '/users/me/sign-ins')),
  'list-sign-ins-of-user': (stage) => met(stage, (me) => stage.admin.call('GET', `/users/${me.userId}/sign-ins`)),
  'list-devices': (stage) => met(stage, (me) => me.call('GET', '/users/me/devices')),
  'register-device': (stage) =>
    met(stage, (me) =>
      me.call('PUT', '/users/me/devices/phone-1', {
        platform: 'android',
        token: `token-of-${me.userId}`,
        environment: 'production',
        appVersion: '1.0.0',
        locale: 'de-DE',
      }),
    ),
  'list-messages': (stage) => met(stage, (me) => me.call('GET', '/agent-board/messages')),
  'mark-message-read': (stage) => written(stage, (me, id) => me.call('POST', `/agent-board/messages/${id}/read`)),
  'mark-messages-read': (stage) =>
    written(stage, (me, upTo) => me.call('POST', '/agent-board/messages/read', { upTo })),
  'read-message': (stage) => written(stage, (me, id) => me.call('GET', `/agent-board/messages/${id}`)),
  'delete-message': (stage) => written(stage, (me, id) => me.call('DELETE', `/agent-board/messages/${id}`)),
  'post-message': async (stage) => ({
    ...(await met(stage, (me) => posting(stage, me))),
    status: 201,
  }),
  'put-group-member': async (stage) => {
    const { groupId } = await newGroup(stage);
    return met(stage, (me) => stage.admin.call('PUT', `/groups/${groupId}/members/${me.userId}`));
  },
  'remove-group-member': async (stage) => {
    const { groupId } = await newGroup(stage);
    const path = (userId: string) => `/groups/${groupId}/members/${userId}`;
    const open = await met(stage, (me) => stage.admin.call('DELETE', path(me.userId)));
    await asked(() => stage.admin.call('PUT', path(open.mark)));
    return open;
  },
  'post-group-message': (stage) =>
    ofGroup(stage, 202, (messages) => stage.admin.call('POST', messages, { ...text, purpose: 'service' })),
  'list-group-messages': (stage) => ofGroup(stage, 200, (messages) => stage.admin.call('GET', messages)),
  ...siteRoutes,
  ...studyRoutes,
  'redeem-access-code': async (stage) => {
    const code = await issuedCode(stage);
    return met(stage, (me) => me.call('POST', '/access-codes/redeem', { code }));
  },
  'validate-access-code': async (stage) => {
    const code = await issuedCode(stage);
    return met(stage, (me) => me.call('POST', '/access-codes/validate', { code }));
  },
  'list-entitlements': async (stage) => {
    const code = await issuedCode(stage);
    const open = await met(stage, (me) => me.call('GET', '/users/me/entitlements'));
    await asked(() => open.person.call('POST', '/access-codes/redeem', { code }));
    return open;
  },
  'put-sleep-entry': (stage) => met(stage, (me) => me.call('PUT', `/sleep/entries/${daysAgo(2)}`, entryOf(daysAgo(2)))),
  'post-sleep-episodes': (stage) =>
    met(stage, (me) => me.call('POST', '/sleep/episodes', { episodes: [episodeOf(daysAgo(2))] })),
  'read-sleep-summary': (stage) =>
    met(stage, (me) => me.call('GET', `/sleep/summary?from=${daysAgo(30)}&to=${daysAgo(0)}`)),
  'search-own-fhir': async (stage) => {
    const open = await consenting(stage, '/users/me/fhir');
    await asked(() => open.person.call('PUT', `/sleep/entries/${daysAgo(2)}`, entryOf(daysAgo(2))));
    return open;
  },
  'read-sleep-window': (stage) => met(stage, (me) => me.call('GET', '/sleep/window')),
  'put-questionnaire-response': (stage) => met(stage, (me) => me.call('PUT', answered, who5)),
  'complete-questionnaire-response': async (stage) => {
    const open = await met(stage, (me) => me.call('POST', `${answered}/complete`));
    await asked(() => open.person.call('PUT', answered, who5));
    return open;
  },
  'list-questionnaire-responses': (stage) => met(stage, (me) => me.call('GET', '/questionnaires/responses')),
  'list-questionnaire-scores': (stage) => met(stage, (me) => me.call('GET', '/questionnaires/scores')),
  'list-patient-responses': async (stage) => {
    const path = (userId: string) => `/users/${userId}/questionnaires/responses`;
    const open = await atSite(stage, ({ me, doctor }) => doctor.call('GET', path(me.userId)));
    await asked(() => open.person.call('PUT', answered, who5));
    await asked(() => open.person.call('POST', `${answered}/complete`));
    return open;
  },
  ...ticketRoutes,
  ...urgentRoutes,
  ...entitledRoutes,
  'list-courses': (stage) => met(stage, (me) => me.call('GET', '/learning/courses')),
  'read-course': (stage) => inProgramme(stage, (me) => me.call('GET', '/learning/courses/sleep-basics')),
  'read-unit': (stage) => inProgramme(stage, (me) => me.call('GET', firstUnit)),
  'put-unit-progress': (stage) =>
    inProgramme(stage, (me) => me.call('PUT', `${firstUnit}/progress`, { position: 10, percent: 50 })),
  'complete-unit': (stage) => inProgramme(stage, (me) => me.call('POST', `${firstUnit}/complete`)),
  'list-learning-progress': (stage) => met(stage, (me) => me.call('GET', '/learning/progress')),
  'read-programme': (stage) => inProgramme(stage, (me) => me.call('GET', '/users/me/programme')),
  'check-app-version': (stage) =>
    opened(stage, {}, (me) => me.call('GET', '/mobile/app-version/check?platform=ios&appVersion=1.0.0')),
  'read-mobile-settings': (stage) => opened(stage, {}, (me) => me.call('GET', '/mobile/settings')),
  'publish-agreement-version': async (stage) => {
    const versionId = await uploaded(stage);
    const send = () => stage.admin.call('POST', `/agreements/versions/${versionId}/publish`);
    return { mark: versionId, send, status: 200, person: stage.admin };
  },
} satisfies Record<string, (stage: Stage) => Promise<Opened>>;

export type RouteName = keyof typeof routes;

async function opened(stage: Stage, more: Partial<Opened>, send: (me: Person) => Promise<Answer>): Promise<Opened> {
  const person = await stage.person();
  return { mark: person.userId, send: () => send(person), status: 200, person, ...more };
}

/** A user who has agreed. */
async function consenting(stage: Stage, path: string): Promise<Opened> {
  const open = await opened(stage, { records: 1 }, (me) => me.call('GET', path));
  await asked(() => open.person.call('POST', agreeing));
  return open;
}

/** Somebody who has started the app. */
async function met(stage: Stage, send: (me: Person) => Promise<Answer>): Promise<Opened> {
  const open = await opened(stage, {}, send);
  await asked(() => open.person.call('GET', '/users/me'));
  return open;
}

/** A user who has a message. */
async function written(stage: Stage, send: (me: Person, messageId: string) => Promise<Answer>): Promise<Opened> {
  let messageId = '';
  const open = await met(stage, (me) => send(me, messageId));
  messageId = (await asked(() => posting(stage, open.person))).messageId;
  return open;
}

const firstUnit = '/learning/units/sleep-basics.what-sleep-does';

/** Of somebody whose programme has begun. */
async function inProgramme(stage: Stage, send: (me: Person) => Promise<Answer>): Promise<Opened> {
  const code = await issuedCode(stage);
  const open = await met(stage, send);
  await asked(() => open.person.call('POST', '/access-codes/redeem', { code }));
  return open;
}

/** A new access code. */
async function issuedCode({ admin }: Stage): Promise<string> {
  const terms = { kind: 'clinic', programmeId: 'insomnia-basic', grantsDays: 90, redeemBy: '2098-12-31T23:59:59Z' };
  const { codes } = await asked(() => admin.call('POST', '/access-codes/batches', { count: 1, ...terms }));
  return codes[0].code;
}

function posting({ agent }: Stage, { userId }: Person): Promise<Answer> {
  return agent.call('POST', `/users/${userId}/agent-board/messages`, text);
}

async function newGroup({ admin }: Stage): Promise<{ groupId: string }> {
  return asked(() => admin.call('POST', '/groups', { name: 'Faults', kind: 'patients' }));
}

/** What is about a new group of nobody, and about no person. */
async function ofGroup(stage: Stage, status: number, send: (messages: string) => Promise<Answer>): Promise<Opened> {
  const { groupId } = await newGroup(stage);
  return { mark: groupId, send: () => send(`/groups/${groupId}/messages`), status, person: stage.admin };
}

/** A draft whose text is there. Of an agreement of its own, so that nobody else's catalogue changes. */
async function uploaded({ admin }: Stage): Promise<string> {
  const agreementId = `faults-${randomUUID()}`;
  const versionId = `${agreementId}-1`;
  const text = `The text of ${versionId}.`;
  const contentHash = createHash('sha256').update(text).digest('hex');
  const contentUrl = `https://example.com/${versionId}`;
  const position = 1000;
  await asked(async () =>
    admin.call('POST', '/agreements', {
      agreementId,
      application: 'medinfo',
      title: 'Faults',
      isRequired: false,
      position,
    }),
  );
  await asked(async () =>
    admin.call('POST', `/agreements/${agreementId}/versions`, {
      versionId,
      label: '1',
      changeType: 'major',
      defaultLocale: 'en',
      locales: { en: { title: 'Faults', contentUrl, contentHash } },
    }),
  );
  const wanted = { locale: 'en', contentType: 'text/plain' };
  const { url, fields } = await asked(() => admin.call('POST', `/agreements/versions/${versionId}/content`, wanted));
  const form = new FormData();
  for (const [name, value] of Object.entries(fields as Record<string, string>)) form.append(name, value);
  form.append('file', new Blob([text]));
  const { status } = await fetch(url, { method: 'POST', body: form });
  if (status >= 300) throw new Error(`the text was not uploaded: ${status}`);
  return versionId;
}
