import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { addressOf, type CodeRow, mostTries } from '../rules/code.ts';
import { kindNamed, type MailKind, type QueuedMail } from '../rules/kinds.ts';
import { counted, type Sent } from '../rules/limit.ts';
import {
  claim,
  codeKey,
  drawn,
  hashOfCode,
  markSent,
  putCounted,
  readRow,
  release,
  sentKey,
} from '../stores/mail-records.ts';

export type MailWorld = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly table: string;
  readonly secret: string;
  readonly now: () => Date;
  /** Null where the user has no address, or is there no more. */
  readonly addressee: (userId: string) => Promise<{ email: string; locale: string | null } | null>;
  /** Whether an account of the sleep-care app has the address. */
  readonly hasAccount: (email: string) => Promise<boolean>;
  /** The language of the account that has the address; null where none is known. */
  readonly localeOf: (application: QueuedMail['application'], email: string) => Promise<string | null>;
  readonly send: (mail: Ready) => Promise<void>;
};

/** A mail whose text can be written. */
export type Ready = {
  readonly kind: MailKind;
  readonly email: string;
  readonly locale: string | null;
  readonly values: Readonly<Record<string, string>>;
  readonly application: QueuedMail['application'];
};

export type Outcome = 'sent' | 'nobody' | 'limited' | 'superseded' | 'repeated';

/** Longer than a contended address needs: five mails are counted one after the other, and the rest is over the limit. */
const retries = 12;

/** @throws what a dependency throws, and where another function is at the same mail: the queue brings it again */
export async function deliver(world: MailWorld, mail: QueuedMail): Promise<Outcome> {
  const { dynamo, table } = world;
  const user = 'userId' in mail.to ? await world.addressee(mail.to.userId) : { email: mail.to.email, locale: null };
  if (!user) return 'nobody';
  const kind = await kindFor(world, mail.kind, user.email);
  const claimed = await claim(dynamo, table, mail.mailId, world.now());
  if (claimed === 'sent') return 'repeated';
  if (claimed === 'taken') throw new Error('another function sends this mail');
  try {
    const code = await admit(world, mail, kind, user.email);
    if (kind === null) return 'nobody';
    if (code === 'limited' || code === 'superseded') return code;
    const values = { ...(mail.data as Record<string, string>), ...(code !== null && { code }) };
    await world.send({
      kind,
      email: user.email,
      locale:
        mail.locale ?? user.locale ?? ('email' in mail.to ? await world.localeOf(mail.application, user.email) : null),
      values,
      application: mail.application,
    });
  } catch (error) {
    await release(dynamo, table, mail.mailId);
    throw error;
  }
  await markSent(dynamo, table, mail.mailId, world.now());
  return 'sent';
}

async function kindFor(world: MailWorld, name: MailKind, email: string): Promise<MailKind | null> {
  const { to, otherwise } = kindNamed(name);
  if (to === 'anyone' || (await world.hasAccount(email)) === (to === 'account')) return name;
  return (otherwise as MailKind | undefined) ?? null;
}

/**
 * Counts the mail and stores its code in one transaction. The stored rows depend only on the request, and not on the mail that is sent:
 * an address that gets another mail, or none, is counted in the same way, and gets a code that nobody can enter. So somebody who enters
 * wrong codes and measures the time cannot find out which addresses have an account.
 *
 * @param kind the kind of mail that is sent @returns the code; null if the kind has none
 */
async function admit(
  { dynamo, table, secret, now }: MailWorld,
  { mailId, application, kind: asked, keep = {} }: QueuedMail,
  kind: MailKind | null,
  email: string,
): Promise<string | null | 'limited' | 'superseded'> {
  const declared = kindNamed(asked);
  const address = addressOf(application, email);
  const recordOfCode = codeKey(secret, declared.codeOf ?? asked, address);
  const drawnCode = declared.code ? drawn(secret, mailId, declared.code.digits) : null;
  const code = kind === asked ? drawnCode : null;
  const rowAt = (at: Date): CodeRow | null => {
    if (!declared.code || drawnCode === null) return null;
    const ends = at.getTime() + declared.code.lifetimeSeconds * 1000;
    return {
      mailRecord: recordOfCode,
      mailId,
      // A user can enter only digits.
      codeHash: hashOfCode(secret, recordOfCode, code ?? `nobody's ${drawnCode}`),
      triesLeft: mostTries,
      validUntil: new Date(ends).toISOString(),
      keep,
      expiresAt: Math.ceil(ends / 1000),
    };
  };
  if (!declared.isLimited && drawnCode === null) return null;
  return retryOnContention<string | null | 'limited' | 'superseded'>(
    async () => {
      const current = drawnCode === null ? null : await readRow<CodeRow>(dynamo, table, recordOfCode);
      // It was stored by an attempt before this one, with the tries that are left of it.
      if (current?.mailId === mailId) return code;
      const mailRecord = sentKey(secret, address);
      const before = declared.isLimited ? await readRow<Sent>(dynamo, table, mailRecord) : null;
      const sent = declared.isLimited ? counted({ mailRecord, mailId, now: now() }, before) : null;
      if (sent === 'full') return 'limited';
      // Counted, and its code is not the latest any more: a newer mail has one that works.
      if (sent === 'counted') return drawnCode === null ? null : 'superseded';
      return (await putCounted(dynamo, table, { sent, before, code: rowAt(now()) })) ? code : contended;
    },
    { retries },
  );
}
