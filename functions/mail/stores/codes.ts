import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { addressOf, type CodeRow } from '../rules/code.ts';
import type { CodeKind } from '../rules/kinds.ts';
import type { MailRecords } from '../tables.ts';
import { codeKeys, isCode, isEnrolled, noteEnrolled, takeTry, useUp } from './mail-records.ts';

/** The function declares `read(MailRecords)`, `adjust(MailRecords)` and `withSecret(MailKey)`. */
export type CodeDependencies = {
  readonly tables: { readonly MailRecords: MailRecords<'get' | 'update'> };
  readonly secret: KeyRing;
};

export type Given = {
  readonly application: string;
  readonly kind: CodeKind;
  readonly email: string;
  readonly code: string;
  /** Of the link, for a mail that has one. */
  readonly token?: string;
};

export type Right = {
  /** Of the mail that has the code or the link. */
  readonly mailId: string;
  /** What was kept beside the code. */
  readonly keep: CodeRow['keep'];
  /** Ends the code: once what it was for is done, so that a crash before that leaves it. */
  readonly useUp: () => Promise<void>;
  /** Notes which account the code of a sign-up makes. @returns false where a newer code took its place */
  readonly noteEnrolled: (userId: string) => Promise<boolean>;
  /** Whether the code makes that account. */
  readonly isEnrolled: (userId: string) => Promise<boolean>;
};

/**
 * Nobody guesses a token, so a wrong one takes no try: a stranger who knows the address cannot use up the tries of an invitation, and
 * learns nothing from the time of the answer, as nothing is written.
 */
function hasToken(secret: KeyRing, token?: string) {
  return (row: CodeRow) =>
    token === undefined || row.tokenHash === undefined
      ? token === row.tokenHash
      : isCode(secret, row.tokenHash, row, token);
}

/**
 * @returns null for a wrong code or token, an expired code, a code without tries left, and an address without a code; the caller
 * cannot tell which
 */
export async function checkCode({ tables, secret }: CodeDependencies, given: Given): Promise<Right | null> {
  const mailRecords = codeKeys(secret, given.kind, addressOf(given.application, given.email));
  // Real time, whatever the time machine says.
  const row = await takeTry(tables.MailRecords, mailRecords, new Date(), hasToken(secret, given.token));
  if (!row || !isCode(secret, row.codeHash, row, given.code)) return null;
  const table = tables.MailRecords;
  return {
    mailId: row.mailId,
    keep: row.keep,
    useUp: () => useUp(table, row),
    noteEnrolled: (userId) => noteEnrolled(table, row, userId),
    isEnrolled: (userId) => isEnrolled(table, row, userId),
  };
}
