import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { UserNotFound } from '../../users/errors.ts';
import { isInPool } from '../../users/exports.ts';
import { postMessage } from '../routes.ts';
import type { Message } from '../rules/board.ts';
import { readBoard } from '../stores/messages.ts';
import { readRecipient } from '../stores/recipients.ts';
import { addMessage } from '../workflows/record-change.ts';

export const handler = serveWithPrefetch(postMessage)({
  prefetch: (asked) => {
    const { params, tables } = asked;
    return Promise.all([
      recall(tables.IdempotencyKeys, onceOf(postMessage, asked, new Date())),
      readRecipient(tables, params.userId),
      readBoard(tables.AgentBoardMessages, params),
    ]);
  },
  respond: async (input, [made, recipient, board]) => {
    const { params, body, caller, now, tables, userPool, fail } = input;
    const { userId } = params;
    const { AgentBoardMessages: table, IdempotencyKeys } = tables;
    const once = onceOf(postMessage, input, new Date());
    // Before the recipient is looked at: a repetition is answered as the first request was.
    const known = posted(body, made);
    if (known) return known;
    const isKnown = recipient ?? (await isInPool(cognito(), userPool.id, userId));
    if (!isKnown) return fail(UserNotFound);
    const first = async () => posted(body, await recall(IdempotencyKeys, once));
    const draft = { userId, authorId: caller.userId, ...body, board, now };
    const also = ({ messageId, createdAt }: Message) => rememberedIn(IdempotencyKeys, once, { messageId, createdAt });
    try {
      // It is the recipient's account that has to be open when the message is there.
      return await whileOpen({ table: tables.Accounts, userId }, () =>
        addMessage(table, { ...draft, ...(once && { first, also }) }),
      );
    } catch (error) {
      if (error instanceof Failure && error.error === AccountClosed) return fail(UserNotFound);
      throw error;
    }
  },
});

type Text = { title: string; body: string };

/** The first answer of a key: what is kept of it is of the message what the request does not say. */
function posted(text: Text, made: Readonly<Record<string, string>> | null): Message | null {
  if (!made) return null;
  const { messageId = '', createdAt = '' } = made;
  return { messageId, ...text, createdAt, readAt: null };
}
