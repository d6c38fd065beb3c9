import type { OwnWrites } from '../own-writes.ts';

export const ownWrites: OwnWrites = {
  endSession:
    async ({ call }) =>
    () =>
      call('DELETE', '/auth/sessions/nothing'),
  endSessions:
    async ({ call }) =>
    () =>
      call('DELETE', '/auth/sessions'),
};
