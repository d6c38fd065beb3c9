import { randomInt } from 'node:crypto';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { daysAgo, entryOf } from '../sleep/diary.ts';
import type { Opened } from './routes.ts';
import { type Answer, asked, type Person, type Stage } from './stage.ts';

/** The routes of sites, of their patients and of the staff directory. */

type Site = { readonly siteId: string; readonly code: string };

/** Only digits, so a search finds it as it is written. */
const name = () => String(randomInt(10 ** 12, 10 ** 13));

async function newSite({ admin }: Stage, called = 'Faults'): Promise<Site> {
  return asked(() => admin.call('POST', '/crm/sites', { name: called, timezone: 'Europe/Berlin' }));
}

async function newDoctor(stage: Stage, { siteId }: Pick<Site, 'siteId'>, called = 'Dr. Faults'): Promise<Person> {
  const doctor = await stage.person('physician', 'medinfo');
  await asked(() => doctor.call('GET', '/users/me'));
  await asked(() => stage.admin.call('PUT', `/crm/sites/${siteId}/staff/${doctor.userId}`, { name: called }));
  return doctor;
}

type AtSite = { readonly me: Person; readonly doctor: Person; readonly siteId: string };

/** A patient who is with a site and shares data, and a physician who works there. */
export async function atSite(stage: Stage, send: (who: AtSite) => Promise<Answer>): Promise<Opened & AtSite> {
  const { siteId, code } = await newSite(stage);
  const me = await stage.person();
  const doctor = await newDoctor(stage, { siteId });
  await asked(() => me.call('GET', '/users/me'));
  await asked(() => me.call('POST', '/users/me/sites', { code }));
  await asked(() => me.call('POST', '/agreements/versions/data-sharing-1.0/agree'));
  return { mark: me.userId, send: () => send({ me, doctor, siteId }), status: 200, person: me, me, doctor, siteId };
}

/** The ETag that there is at that moment, as the test reads it: no fault meets the test. */
export async function seen({ stage, data }: Stage, table: string, Key: Readonly<Record<string, string>>, add = 0) {
  const read = new GetCommand({ TableName: stage.data.tables(table), Key, ConsistentRead: true });
  const { Item } = await data.send(read);
  return { 'if-match': `"${Number(Item?.revision) + add}"` };
}

export const siteRoutes = {
  'join-site': async (stage) => {
    const { code } = await newSite(stage);
    const me = await stage.person();
    return {
      mark: me.userId,
      send: () => me.call('POST', '/users/me/sites', { code }),
      status: 200,
      person: me,
    };
  },
  'leave-site': (stage) => atSite(stage, ({ me, siteId }) => me.call('DELETE', `/users/me/sites/${siteId}`)),
  'choose-main-site': (stage) =>
    atSite(stage, ({ me, siteId }) => me.call('PATCH', `/users/me/sites/${siteId}`, { main: true })),
  'list-own-sites': (stage) => atSite(stage, ({ me }) => me.call('GET', '/users/me/sites')),
  'read-patient': (stage) => atSite(stage, ({ me, doctor }) => doctor.call('GET', `/crm/patients/${me.userId}`)),
  'read-patient-timeline': async (stage) => {
    const open = await atSite(stage, ({ me, doctor }) => doctor.call('GET', `/crm/patients/${me.userId}/timeline`));
    await asked(() => open.person.call('PUT', `/sleep/entries/${daysAgo(2)}`, entryOf(daysAgo(2))));
    return open;
  },
  'list-patients': async (stage) => {
    const open = await atSite(stage, ({ doctor }) => doctor.call('GET', '/crm/patients'));
    return { ...open, mark: open.doctor.userId };
  },
  'list-access-log': async (stage) => {
    const open = await atSite(stage, ({ me }) => me.call('GET', '/users/me/access-log'));
    await asked(() => open.doctor.call('GET', `/crm/patients/${open.mark}`));
    return open;
  },
  'list-sites': async (stage) => {
    const mark = name();
    await newSite(stage, mark);
    return { mark, send: () => stage.admin.call('GET', `/crm/sites?name=${mark}`), status: 200, person: stage.admin };
  },
  'update-site': async (stage) => {
    const { siteId } = await newSite(stage);
    let count = 0;
    const send = async () => {
      const ifMatch = await seen(stage, 'Sites', { kind: 'site', siteKey: siteId });
      count += 1;
      const change = { name: `Faults ${count}` };
      const answer = await stage.admin.call('PATCH', `/crm/sites/${siteId}`, change, ifMatch);
      // The code of a site is no error's.
      return answer.status === 200 ? { ...answer, body: { ...answer.body, code: undefined } } : answer;
    };
    return { mark: siteId, send, status: 200, person: stage.admin };
  },
  'delete-site': async (stage) => {
    const { siteId } = await newSite(stage);
    const key = { kind: 'site', siteKey: siteId };
    await asked(async () =>
      stage.admin.call('PATCH', `/crm/sites/${siteId}`, { status: 'closed' }, await seen(stage, 'Sites', key)),
    );
    const ifMatch = await seen(stage, 'Sites', key);
    let isFirst = true;
    const send = async () => {
      const answer = await stage.admin.call('DELETE', `/crm/sites/${siteId}`, undefined, ifMatch);
      const isGone = !isFirst && answer.status === 404 && answer.body.code === 'SITE_NOT_FOUND';
      isFirst = false;
      // Whoever asks again learns that it is gone: that is what was asked for.
      return isGone ? { ...answer, status: 200, body: {} } : answer;
    };
    const leaves = async () => {
      const query = new QueryCommand({
        TableName: stage.stage.data.tables('AuditEvents'),
        KeyConditionExpression: 'application = :application',
        FilterExpression: 'subject = :subject AND #action = :action',
        ExpressionAttributeNames: { '#action': 'action' },
        ExpressionAttributeValues: {
          ':application': 'medinfo',
          ':subject': `site/${siteId}`,
          ':action': 'site.deleted',
        },
        ConsistentRead: true,
      });
      expect((await stage.data.send(query)).Items).toHaveLength(1);
    };
    return { mark: siteId, send, status: 200, person: stage.admin, leaves };
  },
  'read-crm-user': async (stage) => {
    const person = await newDoctor(stage, await newSite(stage));
    const send = () => stage.admin.call('GET', `/crm/users/${person.userId}`);
    return { mark: person.userId, send, status: 200, person };
  },
  'update-crm-user': async (stage) => {
    const doctor = await newDoctor(stage, await newSite(stage));
    let count = 0;
    const send = async () => {
      const ifMatch = await seen(stage, 'StaffDirectory', { part: doctor.userId, place: 'entry' }, 1);
      count += 1;
      return stage.admin.call('PATCH', `/crm/users/${doctor.userId}`, { title: `Dr. ${count}` }, ifMatch);
    };
    return { mark: doctor.userId, send, status: 200, person: doctor };
  },
  'list-crm-users': async (stage) => {
    const mark = name();
    const site = await newSite(stage);
    const person = await newDoctor(stage, site, mark);
    return { mark, send: () => stage.admin.call('GET', `/crm/users?name=${mark}`), status: 200, person };
  },
} satisfies Record<string, (stage: Stage) => Promise<Opened>>;
