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
export async function sendOne(world: MailWorld, mail: QueuedMail): Promise<Outcome> {
  const { dynamo, table } = world;
  const user = 'userId' in mail.to ? await world.addressee(mail.to.userId) : { email: mail.to.email, locale: null };
  if (!user) return 'nobody';
  const kind = await kindFor(world, mail.kind, user.email);
  if (!kind) return 'nobody';
  const claimed = await claim(dynamo, table, mail.mailId, world.now());
  if (claimed === 'sent') return 'repeated';
  if (claimed === 'taken') throw new Error('another function sends this mail');
  try {
    const code = await admit(world, mail, kind, user.email);
    if (code === 'limited' || code === 'superseded') return code;
    const values = { ...(mail.data as Record<string, string>), ...(code !== null && { code }) };
    await world.send({
      kind,
      email: user.email,
      locale: mail.locale ?? user.locale,
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

/** Counts the mail and stores its code, in one. @returns the code, null where the kind has none */
async function admit(
  { dynamo, table, secret, now }: MailWorld,
  { mailId, application, keep = {} }: QueuedMail,
  kind: MailKind,
  email: string,
): Promise<string | null | 'limited' | 'superseded'> {
  const declared = kindNamed(kind);
  const address = addressOf(application, email);
  const recordOfCode = codeKey(secret, kind, address);
  const code = declared.code ? drawn(secret, mailId, declared.code.digits) : null;
  const rowAt = (at: Date): CodeRow | null => {
    if (!declared.code || code === null) return null;
    const ends = at.getTime() + declared.code.lifetimeSeconds * 1000;
    return {
      mailRecord: recordOfCode,
      mailId,
      codeHash: hashOfCode(secret, recordOfCode, code),
      triesLeft: mostTries,
      validUntil: new Date(ends).toISOString(),
      keep,
      expiresAt: Math.ceil(ends / 1000),
    };
  };
  if (!declared.isLimited && code === null) return null;
  return retryOnContention<string | null | 'limited' | 'superseded'>(
    async () => {
      const current = code === null ? null : await readRow<CodeRow>(dynamo, table, recordOfCode);
      // It was stored by an attempt before this one, with the tries that are left of it.
      if (current?.mailId === mailId) return code;
      const mailRecord = sentKey(secret, address);
      const before = declared.isLimited ? await readRow<Sent>(dynamo, table, mailRecord) : null;
      const sent = declared.isLimited ? counted({ mailRecord, mailId, now: now() }, before) : null;
      if (sent === 'full') return 'limited';
      // Counted, and its code is not the latest any more: a newer mail has one that works.
      if (sent === 'counted') return code === null ? null : 'superseded';
      return (await putCounted(dynamo, table, { sent, before, code: rowAt(now()) })) ? code : contended;
    },
    { retries },
  );
}
