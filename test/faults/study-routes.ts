import { expect } from 'vitest';
import { definition } from '../research/study.ts';
import type { Opened } from './routes.ts';
import { seen } from './site-routes.ts';
import { type Answer, asked, type Person, type Stage } from './stage.ts';

/** The routes of studies: staff make them, participants join and leave. */

const own = '/users/me/studies';

type Open = { readonly researcher: Person; readonly studyId: string; readonly code: string };

/** A study with a code, in the state `recruiting` unless it is to stay a draft. */
async function newStudy(stage: Stage, isOpen = true): Promise<Open> {
  const researcher = await stage.person('researcher', 'medinfo');
  const { studyId } = await asked(researcher.call('POST', '/research/studies', definition));
  const { code } = await asked(researcher.call('POST', `/research/studies/${studyId}/code`));
  if (isOpen) await asked(open(researcher, studyId));
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
  await asked(me.call('POST', '/agreements/versions/research-data-1.0/agree'));
  if (isIn) await asked(me.call('POST', own, { code: study.code }));
  return { mark: me.userId, send: () => send(me, study), status: 200, person: me, study };
}

/** Once it has succeeded, the user takes part, or not: in the one study, and in one row. */
function leaving(opened: Opened, isParticipating: boolean): Opened {
  const leaves = async () => {
    const { items } = await asked(opened.person.call('GET', own));
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
} satisfies Readonly<Record<string, (stage: Stage) => Promise<Opened>>>;
