import { serve } from '../../../lib/runtime/serve.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { openTicket } from '../routes.ts';
import { openTicketOnce } from '../workflows/open-once.ts';

export const handler = serve(openTicket)(async (input) => {
  const { body, caller, now, requestId, tables } = input;
  const once = onceOf(openTicket, input, new Date());
  return openTicketOnce(tables, { ...body, userId: caller.userId, now, requestId, once });
});
