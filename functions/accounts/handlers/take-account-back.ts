import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { performing } from '../../../lib/runtime/perform.ts';
import { inTurn, openSecureToken, readAccountActs } from '../../mail/exports.ts';
import { effectOf } from '../../mail/rules.ts';
import { takeAccountBack } from '../consumers.ts';
import { LinkInvalid } from '../errors.ts';
import { find } from '../stores/user-pool.ts';
import { linkUsed, secure } from '../workflows/secure.ts';

export const handler = performing(takeAccountBack)(async ({ token }, bindings) => {
  const { where, tables, secrets, queues, userPool } = bindings;
  const link = openSecureToken(secrets.MailKey, token, new Date());
  if (link?.application !== where.application) throw new Failure(LinkInvalid);
  const user = await find(cognito(), userPool.id, link.userId);
  if (user?.userId !== link.userId) throw new Failure(LinkInvalid);
  const deps = { tables, secret: secrets.MailKey, cognito: cognito(), userPool, queues };
  // A link that was used takes nobody's turn.
  if (!effectOf(link, await readAccountActs(deps, user.userId), new Date())) return linkUsed;
  return inTurn(deps, user.userId, (turn) => secure(deps, { link, user }, turn));
});
