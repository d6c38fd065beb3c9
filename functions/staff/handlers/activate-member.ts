import { cognito } from '../../../lib/runtime/cognito.ts';
import { consumeQueue } from '../../../lib/runtime/consume.ts';
import { activateMember } from '../consumers.ts';
import { activate } from '../workflows/activate.ts';
import type { Accepted } from '../workflows/await-activation.ts';

export const handler = consumeQueue(activateMember)(async ({ body }, { tables, userPool, log }) => {
  const { requestId, ...accepted } = JSON.parse(body) as Accepted & { readonly requestId: string };
  const deps = { tables, pool: { client: cognito(), id: userPool.id } };
  const outcome = await activate(deps, accepted, { application: 'medinfo', requestId, realNow: new Date() });
  log({ level: 'INFO', message: 'accepted invitation', outcome });
});
