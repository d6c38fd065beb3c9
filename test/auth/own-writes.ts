import type { OwnWrites } from '../own-writes.ts';

export const ownWrites: OwnWrites = {
  endSession: async ({ call }) => {
    const { body } = await call('GET', '/auth/sessions');
    const [session] = body.items as unknown as readonly { sessionId: string }[];
    if (!session) throw new Error('whoever signed in has no session');
    return () => call('DELETE', `/auth/sessions/${session.sessionId}`);
  },
  endSessions:
    async ({ call }) =>
    () =>
      call('DELETE', '/auth/sessions'),
};
