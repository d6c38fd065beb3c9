import { serve } from '../../../lib/runtime/serve.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { TicketNotFound } from '../errors.ts';
import { addOwnTicketComment } from '../routes.ts';
import { ownComment } from '../rules/shown.ts';
import { commentByPatient } from '../workflows/write-comment.ts';

export const handler = serve(addOwnTicketComment)(async (input) => {
  const { params, body, caller, now, requestId, tables, fail } = input;
  const once = onceOf(addOwnTicketComment, input, new Date());
  const said = { ...params, ...body, userId: caller.userId, now, requestId, once };
  const written = await commentByPatient({ tables, ...said });
  return written ? ownComment(written.comment) : fail(TicketNotFound);
});
