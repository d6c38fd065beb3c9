import { serve } from '../../../lib/runtime/serve.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { GroupNotFound, GroupWithoutBoards, TooManyGroupMessages } from '../errors.ts';
import { postGroupMessage } from '../routes.ts';
import { begun } from '../rules/broadcast.ts';
import { shownOf } from '../rules/shown.ts';
import { acceptBroadcast } from '../workflows/accept-broadcast.ts';

export const handler = serve(postGroupMessage)(async (input) => {
  const { params, body, caller, application, now, requestId, tables, fail } = input;
  const realNow = new Date();
  const once = onceOf(postGroupMessage, input, realNow);
  const draft = { ...params, ...body, authorId: caller.userId, now };
  const occasion = { application, actor: caller.userId, requestId, realNow, once };
  const outcome = await acceptBroadcast(tables, draft, occasion);
  if (outcome === 'no-group') return fail(GroupNotFound);
  if (outcome === 'no-boards') return fail(GroupWithoutBoards);
  if (outcome === 'too-many') return fail(TooManyGroupMessages);
  // As it was when it was accepted, also where the key is used again: the same answer.
  return shownOf(outcome, begun);
});
