import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { addressOf, type CodeRow } from '../rules/code.ts';
import type { CodeKind } from '../rules/kinds.ts';
import { codeKey, hashOfCode, isEnrolled, isSame, noteEnrolled, takeTry, useUp } from './mail-records.ts';

/** The function declares `read(MailRecords)`, `adjust(MailRecords)` and `withSecret(MailKey)`. */
export type CodePlace = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: { readonly MailRecords: string };
  readonly secret: string;
};

export type Given = {
  readonly application: string;
  readonly kind: CodeKind;
  readonly email: string;
  readonly code: string;
};

export type Right = {
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
 * @returns null for a wrong code, an expired code, a code without tries left, and an address without a code; the caller
 * cannot tell which
 */
export async function checkCode({ dynamo, tables, secret }: CodePlace, given: Given): Promise<Right | null> {
  const mailRecord = codeKey(secret, given.kind, addressOf(given.application, given.email));
  // Real time, whatever the time machine says.
  const row = await takeTry(dynamo, tables.MailRecords, mailRecord, new Date());
  if (!row || !isSame(row.codeHash, hashOfCode(secret, mailRecord, given.code))) return null;
  const table = tables.MailRecords;
  return {
    keep: row.keep,
    useUp: () => useUp(dynamo, table, row),
    noteEnrolled: (userId) => noteEnrolled(dynamo, table, row, userId),
    isEnrolled: (userId) => isEnrolled(dynamo, table, row, userId),
  };
}
