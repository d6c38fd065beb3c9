import { accepted, type PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, canary, call, admin }) => {
  await accepted(call('GET', '/users/me'));
  await accepted(admin('POST', `/users/${userId}/agent-board/messages`, { title: 'T', body: canary }));
};
