import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { definition } from '../research/study.ts';
import { doneExport } from '../research-exports/done-export.ts';
import type { Opened } from './routes.ts';
import { seen } from './site-routes.ts';
import { type Answer, asked, type Person, type Stage } from './stage.ts';

/** The routes of studies: staff make them, participants join and leave. */

const own = '/users/me/studies';

type Open = { readonly researcher: Person; readonly studyId: string; readonly code: string };

/** A study with a code, in the state `recruiting` unless it is to stay a draft. */
async function newStudy(stage: Stage, isOpen = true): Promise<Open> {
  const researcher = await stage.person('researcher', 'medinfo');
  const { studyId } = await asked(() => researcher.call('POST', '/research/studies', definition));
  const { code } = await asked(() => researcher.call('POST', `/research/studies/${studyId}/code`));
  if (isOpen) await asked(() => open(researcher, studyId));
  return { researcher, studyId, code };
}

function open(researcher: Person, studyId: string): Promise<Answer> {
  return researcher.call(
    'POST',
    `/research/studies/${studyId}/transition`,
    { to: 'recruiting' },
    { 'if-match': '"2"' },
  );
}

/** Somebody who consents, and is in the study already where that is said. */
async function met(
  stage: Stage,
  isIn: boolean,
  send: (me: Person, study: Open) => Promise<Answer>,
): Promise<Opened & { study: Open }> {
  const study = await newStudy(stage);
  const me = await stage.person();
  await asked(() => me.call('POST', '/agreements/versions/research-data-1.0/agree'));
  if (isIn) await asked(() => me.call('POST', own, { code: study.code }));
  return { mark: me.userId, send: () => send(me, study), status: 200, person: me, study };
}

/** What staff ask about the exports of a new study. */
async function ofExports(stage: Stage, send: (exports: string, study: Open) => Promise<Answer>): Promise<Opened> {
  const study = await newStudy(stage);
  const { studyId, researcher } = study;
  const exports = `/research/studies/${studyId}/exports`;
  return { mark: studyId, send: () => send(exports, study), status: 200, person: researcher };
}

/** Once it has succeeded, the user takes part, or not: in the one study, and in one row. */
function leaving(opened: Opened, isParticipating: boolean): Opened {
  const leaves = async () => {
    const { items } = await asked(() => opened.person.call('GET', own));
    expect(items).toMatchObject([{ isParticipating }]);
  };
  return { ...opened, leaves };
}

export const studyRoutes = {
  'join-study': async (stage) =>
    leaving(await met(stage, false, (me, { code }) => me.call('POST', own, { code })), true),
  'leave-study': async (stage) =>
    leaving(
      await met(stage, true, (me, { studyId }) => me.call('DELETE', `${own}/${studyId}?keepExported=true`)),
      false,
    ),
  'list-own-studies': (stage) => met(stage, true, (me) => me.call('GET', own)),
  'look-up-study': (stage) => met(stage, false, (me, { code }) => me.call('POST', `${own}/lookup`, { code })),
  'replace-study': async (stage) => {
    const { researcher, studyId } = await newStudy(stage, false);
    const send = async () => {
      const tag = await seen(stage, 'Studies', { kind: 'study', studyKey: studyId });
      return researcher.call('PUT', `/research/studies/${studyId}`, { ...definition, title: 'Retitled' }, tag);
    };
    return { mark: studyId, send, status: 200, person: researcher };
  },
  'count-participants': async (stage) => {
    const { researcher, studyId } = await newStudy(stage);
    const path = `/research/studies/${studyId}/participants`;
    return { mark: studyId, send: () => researcher.call('GET', path), status: 200, person: researcher };
  },
  'request-research-export': async (stage) => {
    const key = { 'idempotency-key': randomUUID() };
    const open = await ofExports(stage, (exports, { researcher }) => researcher.call('POST', exports, undefined, key));
    const leaves = async () => {
      const { items } = await asked(() => open.person.call('GET', `/research/studies/${open.mark}/exports`));
      expect(items).toHaveLength(1);
    };
    return { ...open, status: 202, leaves };
  },
  'list-research-exports': (stage) => ofExports(stage, (exports, { researcher }) => researcher.call('GET', exports)),
  /** Of one that is done: its addresses need an audit event. */
  'read-research-export': async (stage) => {
    const exportId = randomUUID();
    const open = await ofExports(stage, (exports, { researcher }) => researcher.call('GET', `${exports}/${exportId}`));
    const Item = doneExport({ studyId: open.mark, exportId });
    await stage.data.send(new PutCommand({ TableName: stage.stage.data.tables('ResearchExports'), Item }));
    const leaves = async () => {
      const subject = `study/${open.mark}`;
      const { items } = await asked(() => stage.admin.call('GET', `/admin/audit-events?subject=${subject}&limit=100`));
      const of = (items as { action: string; after: { exportId?: string } }[]).filter(({ after }) => after?.exportId);
      // Of the request whose answer the caller did not get, too, where it was the answer that failed.
      expect(of.length).toBeGreaterThanOrEqual(1);
      expect(of).toEqual(of.map((each) => ({ ...each, action: 'research-export.addresses-issued' })));
    };
    return { ...open, leaves };
  },
  'list-research-notices': (stage) =>
    ofExports(stage, (_exports, { researcher, studyId }) =>
      researcher.call('GET', `/research/studies/${studyId}/notices`),
    ),
} satisfies Readonly<Record<string, (stage: Stage) => Promise<Opened>>>;
