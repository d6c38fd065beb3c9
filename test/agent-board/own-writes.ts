import type { OwnWrites } from '../own-writes.ts';

type Prepare = OwnWrites[string];

/** A message is there before. */
function withMessage(
  send: (call: Parameters<Prepare>[0]['call'], messageId: string) => ReturnType<Parameters<Prepare>[0]['call']>,
): Prepare {
  return async ({ call, userId }, admin) => {
    await call('GET', '/users/me');
    const { body } = await admin('POST', `/users/${userId}/agent-board/messages`, { title: 'T', body: 'B' });
    return () => send(call, String(body.messageId));
  };
}

export const ownWrites: OwnWrites = {
  markMessageRead: withMessage((call, messageId) => call('POST', `/agent-board/messages/${messageId}/read`)),
  markMessagesRead: withMessage((call, messageId) => call('POST', '/agent-board/messages/read', { upTo: messageId })),
  deleteMessage: withMessage((call, messageId) => call('DELETE', `/agent-board/messages/${messageId}`)),
};
