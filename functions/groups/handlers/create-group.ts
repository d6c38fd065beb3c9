import { serve } from '../../../lib/runtime/serve.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { createGroup } from '../routes.ts';
import { createGroup as create } from '../workflows/change-group.ts';

export const handler = serve(createGroup)(async (input) => {
  const { body, caller, application, now, requestId, tables } = input;
  const realNow = new Date();
  const once = onceOf(createGroup, input, realNow);
  const occasion = { application, actor: caller.userId, requestId, realNow, once };
  return create(tables, { ...body, now }, occasion);
});
