import { dynamo } from '../../../lib/runtime/clients.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listMessages } from '../routes.ts';
import { readPage } from '../stores/messages.ts';

export const handler = servePages(
  listMessages,
  lambdaWithClock,
)(async ({ page, caller, tables }) => {
  const after = page.after ? String(page.after.messageId) : null;
  const found = await readPage(dynamo(), tables.AgentBoardMessages, caller, { limit: page.limit, after });
  return {
    items: found.messages,
    next: found.next === null ? null : { messageId: found.next },
    metadata: { unreadCount: found.unreadCount },
  };
});

await initialize(listMessages);
