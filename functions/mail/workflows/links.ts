import { addressOf } from '../rules/code.ts';
import { kindNamed, type QueuedMail } from '../rules/kinds.ts';
import { isHeldBy, secureToken } from '../stores/secure-links.ts';
import type { MailWorld } from './mail-world.ts';

/** Mails with a link: who may get one, and the link of a mail that secures an account. */

/**
 * A link that secures an account goes only to an address that the account has, or had until some days ago; an invitation's only to whom
 * it is for.
 */
export async function mayGet(
  world: MailWorld,
  { kind, application, to, mailId, keep }: QueuedMail,
  email: string,
): Promise<boolean> {
  const { secures, isLink } = kindNamed(kind);
  if (isLink) {
    const invited = await world.invited(String(keep?.staffId));
    return invited?.mailId === mailId && addressOf(application, invited.email) === addressOf(application, email);
  }
  if (!secures) return true;
  if (!('userId' in to)) return false;
  if (to.email === undefined) return true;
  const { table, secret, now } = world;
  const deps = { tables: { MailRecords: table }, secret };
  const address = addressOf(application, email);
  if (await isHeldBy(deps, { address, userId: to.userId, now: now() })) return true;
  const own = await world.addressee(to.userId);
  return own !== null && addressOf(application, own.email) === address;
}

/** The link that says "this was not me", of a mail that has one. */
export function notMe(
  { secret, secureAccountPage, now }: MailWorld,
  { kind, application, to }: QueuedMail,
  email: string,
): Readonly<Record<string, string>> {
  const { secures } = kindNamed(kind);
  if (!secures || !('userId' in to)) return {};
  const mailedAt = now();
  const token = secureToken(secret, {
    application,
    userId: to.userId,
    mailedAt: mailedAt.toISOString(),
    validUntil: new Date(mailedAt.getTime() + secures.lifetimeSeconds * 1000).toISOString(),
    ...(secures.restoresAddress && { restores: email }),
  });
  return { link: `${secureAccountPage}#${token}` };
}
