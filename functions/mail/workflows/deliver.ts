import { skewMs } from '../../../lib/contract/instant.ts';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { ringFrom } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get } from '../../../lib/runtime/rows.ts';
import { addressOf, type CodeRow, mostTries } from '../rules/code.ts';
import { kindNamed, type MailKind, type QueuedMail } from '../rules/kinds.ts';
import { counted, isCounting, type Sent } from '../rules/limit.ts';
import {
  claim,
  codeKeys,
  drawn,
  drawnToken,
  hashOfCode,
  markSent,
  putCounted,
  release,
  ringOf,
  sentKeys,
  voided,
} from '../stores/mail-records.ts';
import { isHeldByAnother } from '../stores/secure-links.ts';
import { mayGet, notMe } from './links.ts';
import type { Addressee, MailWorld } from './mail-world.ts';

/** A code that is in its row, drawn with the first key of the ring. */
type Stored = { readonly ring: KeyRing; readonly code: string };
type Admitted = Stored | null | 'limited' | 'superseded';

export type Outcome = 'sent' | 'nobody' | 'limited' | 'superseded' | 'repeated';

/** Longer than a contended address needs: five mails are counted one after the other, and the rest is over the limit. */
const retries = 12;

/** @throws what a dependency throws, and where another function is at the same mail: the queue brings it again */
export async function deliver(given: MailWorld, mail: QueuedMail): Promise<Outcome> {
  const secret = ringOfMail(given, mail);
  if (!secret) return 'superseded';
  const world = { ...given, secret };
  const { table } = world;
  const user = await readerOf(world, mail);
  if (!user || !(await mayGet(world, mail, user.email))) return 'nobody';
  const kind = await kindFor(world, mail, user.email);
  const claimed = await claim(table, mail.mailId, world.now());
  if (claimed === 'sent') return 'repeated';
  if (claimed === 'taken') throw new Error('another function sends this mail');
  try {
    const stored = await admit(world, mail, kind, user.email);
    if (kind === null) return 'nobody';
    if (stored === 'limited' || stored === 'superseded') return stored;
    const values = {
      ...declaredOf(mail),
      ...(stored && shown(stored, mail, world)),
      ...notMe(world, mail, user.email),
    };
    const ofAddress = async () =>
      mail.to.email === undefined ? null : world.localeOf(mail.application, mail.to.email);
    // Of a profile, which others may write.
    const named = typeof mail.locale === 'string' ? mail.locale : null;
    const locale = named ?? user.locale ?? (await ofAddress());
    // Before the mail: where it fails, the whole mail comes again.
    if (kindNamed(kind).secures && 'userId' in mail.to) {
      const { at = world.now().toISOString() } = mail.data as { at?: string };
      await world.notify({ mailId: mail.mailId, userId: mail.to.userId, kind, locale, at });
    }
    await world.send({
      kind,
      email: user.email,
      locale,
      timeZone: user.timeZone,
      values,
      application: mail.application,
    });
  } catch (error) {
    await release(table, mail.mailId);
    throw error;
  }
  await markSent(table, mail.mailId, world.now());
  return 'sent';
}

async function readerOf({ addressee }: MailWorld, { to }: QueuedMail): Promise<Addressee | null> {
  if (to.email !== undefined) return { email: to.email, locale: null, timeZone: null };
  return 'userId' in to ? addressee(to.userId) : null;
}

/** Whoever writes to the queue chooses no link and nothing else that the texts have of themselves. */
function declaredOf({ kind, data }: QueuedMail): Readonly<Record<string, string>> {
  const { data: names, optional = [] } = kindNamed(kind);
  const given = data as Readonly<Record<string, string>>;
  return Object.fromEntries(
    [...names, ...optional].flatMap((name) => (name in given ? [[name, given[name] ?? '']] : [])),
  );
}

/** With the key first that the code of a link was drawn with, when it was answered. @returns null where that key is gone: so is the code's time */
function ringOfMail({ secret }: MailWorld, { keyId }: QueuedMail): KeyRing | null {
  try {
    return keyId === undefined ? secret : ringFrom(secret, keyId);
  } catch {
    return null;
  }
}

/** The code, or the link. The token is in the fragment, which browsers send to no server. */
function shown(
  { ring, code }: Stored,
  { kind, mailId }: QueuedMail,
  { invitationPage }: MailWorld,
): Readonly<Record<string, string>> {
  if (kindNamed(kind).isLink) return { link: `${invitationPage}#${drawnToken(ring, mailId)}` };
  return { code };
}

async function kindFor(
  world: MailWorld,
  { kind: name, application, keep }: QueuedMail,
  email: string,
): Promise<MailKind | null> {
  const { to, otherwise, whenHeld, whenDisabled = name } = kindNamed(name);
  if (to === 'anyone') return name;
  const account = await world.accountWith(application, email);
  if (account === null && whenHeld !== undefined) {
    const deps = { tables: { MailRecords: world.table }, secret: world.secret };
    const asked = { address: addressOf(application, email), userId: keep?.userId, now: world.now() };
    if (await isHeldByAnother(deps, asked)) return whenHeld as MailKind;
  }
  if ((account !== null) === (to === 'account')) return account?.isDisabled ? (whenDisabled as MailKind) : name;
  return (otherwise as MailKind | undefined) ?? null;
}

/** Else a message of a time to come would outdo every honest one. */
function notAfter(askedAt: string | undefined, now: Date): string | undefined {
  const latest = new Date(now.getTime() + skewMs).toISOString();
  return askedAt !== undefined && askedAt > latest ? latest : askedAt;
}

/** Whether a link's time is over, or another one was asked for later. */
function isOverdue([row]: readonly CodeRow[], found: readonly (CodeRow | null)[], now: Date): boolean {
  if (row?.askedAt === undefined) return false;
  const { askedAt, validUntil } = row;
  return validUntil <= now.toISOString() || found.some((each) => (each?.askedAt ?? '') > askedAt);
}

/**
 * Counts the mail and stores its code in one transaction. The stored rows depend only on the request, and not on the mail that is sent:
 * an address that gets another mail, or none, is counted in the same way, and gets a code that nobody can enter. So somebody who enters
 * wrong codes and measures the time cannot find out which addresses have an account.
 *
 * @param kind the kind of mail that is sent @returns null if the kind has no code
 */
async function admit(
  { table, secret, now }: MailWorld,
  { mailId, application, kind: asked, keep = {}, askedAt }: QueuedMail,
  kind: MailKind | null,
  email: string,
): Promise<Admitted> {
  const declared = kindNamed(asked);
  const address = addressOf(application, email);
  const [recordOfCode, ...otherRecords] = codeKeys(secret, declared.codeOf ?? asked, address);
  const codeWith = (ring: KeyRing) => (declared.code ? codeOf(ring, { mailId, kind: asked, address }) : null);
  const drawnCode = codeWith(secret);
  const storedWith = (ring: KeyRing): Stored | null => {
    const code = kind === asked ? codeWith(ring) : null;
    return code === null ? null : { ring, code };
  };
  const rowsAt = (at: Date): CodeRow[] => {
    if (!declared.code || drawnCode === null) return [];
    // Whoever asked may have a clock that is ahead.
    const said = askedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(askedAt);
    const from = Math.min(at.getTime(), said);
    const ends = from + declared.code.lifetimeSeconds * 1000;
    const row = {
      mailRecord: recordOfCode,
      mailId,
      // A user can enter only digits.
      codeHash: hashOfCode(secret, recordOfCode, kind === asked ? drawnCode : `nobody's ${drawnCode}`),
      ...(declared.isLink && {
        tokenHash: hashOfCode(secret, recordOfCode, drawnToken(secret, mailId)),
        askedAt: notAfter(askedAt, at),
      }),
      triesLeft: mostTries,
      validUntil: new Date(ends).toISOString(),
      keep,
      expiresAt: Math.ceil(ends / 1000),
    };
    return [row, ...otherRecords.map((record) => voided(row, record))];
  };
  if (!declared.isLimited && drawnCode === null) return null;
  return retryOnContention<Admitted>(
    async () => {
      const records = declared.code ? [recordOfCode, ...otherRecords] : [];
      const found = await Promise.all(records.map((record) => get<CodeRow>(table, { mailRecord: record })));
      if (isOverdue(rowsAt(now()), found, now())) return 'superseded';
      const current = found.find((row) => row?.mailId === mailId && row.codeHash !== '');
      // It was stored by an attempt before this one, with the tries that are left of it, and perhaps with another key.
      if (current) return storedWith(ringOf(secret, current.codeHash));
      const sentRecords = declared.isLimited ? sentKeys(secret, address) : [];
      const rows = await Promise.all(sentRecords.map((record) => get<Sent>(table, { mailRecord: record })));
      const before = rows.map((row) => (isCounting(row) ? row : null));
      const all = sentRecords.map((mailRecord, at) => counted({ mailRecord, mailId, now: now() }, before[at] ?? null));
      // Counted, and its code is not the latest any more: a newer mail has one that works.
      if (all.includes('counted')) return drawnCode === null ? null : 'superseded';
      if (all.includes('full')) return 'limited';
      const sent = all.filter((each) => typeof each !== 'string');
      return (await putCounted(table, { sent, codes: rowsAt(now()) })) ? storedWith(secret) : contended;
    },
    { retries },
  );
}

/**
 * The code of a mail. One that the mail carries is of its kind and address, too: else whoever writes to the queue would read it in a mail
 * of another kind to an address of their own.
 */
function codeOf(
  secret: KeyRing,
  { mailId, kind, address }: { mailId: string; kind: MailKind; address: string },
): string {
  const { code, isLink } = kindNamed(kind);
  return drawn(secret, isLink ? mailId : `${kind}#${address}#${mailId}`, code?.digits ?? 0);
}
