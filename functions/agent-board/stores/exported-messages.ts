import type { ExportReader } from '../../../lib/runtime/exporter.ts';
import type { AgentBoardMessages } from '../tables.ts';
import { readPage } from './messages.ts';

const pageMessages = 200;

/** The messages of a person as the person sees them, newest first; who wrote them is somebody else's. */
export const readAllMessages: ExportReader<{
  readonly AgentBoardMessages: AgentBoardMessages<'get' | 'query'>;
}> = async ({ tables }, person, position) => {
  const after = position === null ? null : String(position.messageId);
  const { messages, next } = await readPage(tables.AgentBoardMessages, person, { limit: pageMessages, after });
  return {
    rows: messages.map(({ messageId, title, body, createdAt, readAt }) => ({
      messageId,
      title,
      body,
      createdAt,
      readAt,
    })),
    next: next === null ? null : { messageId: next },
  };
};
