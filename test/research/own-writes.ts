import type { OwnWrites } from '../own-writes.ts';
import { definition } from './study.ts';

type Prepare = OwnWrites[string];
type Call = Parameters<Prepare>[0]['call'];

/** There is a study with a code, and who is meant consents to it, and can take part already. */
function withStudy(
  send: (call: Call, study: { studyId: string; code: string }) => ReturnType<Call>,
  isIn = false,
): Prepare {
  return async ({ call }, staff) => {
    const { body: made } = await staff('POST', '/research/studies', definition);
    const path = `/research/studies/${made.studyId}`;
    const { body } = await staff('POST', `${path}/code`);
    await staff('POST', `${path}/transition`, { to: 'recruiting' }, { 'if-match': '"2"' });
    const study = { studyId: String(made.studyId), code: String(body.code) };
    await call('POST', '/agreements/versions/research-data-1.0/agree');
    if (isIn) await call('POST', '/users/me/studies', { code: study.code });
    return () => send(call, study);
  };
}

export const ownWrites: OwnWrites = {
  joinStudy: withStudy((call, { code }) => call('POST', '/users/me/studies', { code })),
  leaveStudy: withStudy((call, { studyId }) => call('DELETE', `/users/me/studies/${studyId}`), true),
};
