import type { Accounts } from '../../../lib/contract/accounts.ts';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { ifAbsent } from '../../../lib/runtime/conditions.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { get, put } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { postNotice } from '../../agent-board/exports.ts';
import type { AgentBoardMessages } from '../../agent-board/tables.ts';
import { hadDeviceBefore } from '../../devices/exports.ts';
import type { Devices } from '../../devices/tables.ts';
import type { MailRecords } from '../tables.ts';
import type { PhoneNotice } from './mail-world.ts';

type Dependencies = {
  readonly tables: {
    readonly MailRecords: MailRecords<'get' | 'put'>;
    readonly Devices: Devices<'query'>;
    readonly AgentBoardMessages: AgentBoardMessages<'get' | 'put'>;
    readonly Accounts: Handle<typeof Accounts, 'check'>;
  };
  /** Real time. */
  readonly now: () => Date;
};

const keptSeconds = 14 * 86_400;

/**
 * A message on the agent board of a user who had a phone before it happened; a push without content follows it. Once for each mail. A
 * closed account gets none.
 */
export async function notifyPhones(
  { tables, now }: Dependencies,
  { mailId, userId, at }: PhoneNotice,
  message: { readonly title: string; readonly body: string },
): Promise<void> {
  if (!(await hadDeviceBefore(tables.Devices, userId, at))) return;
  const mailRecord = `notice#${mailId}`;
  const row = { mailRecord, expiresAt: Math.ceil(now().getTime() / 1000) + keptSeconds };
  const once = [put(tables.MailRecords, row, ifAbsent('mailRecord'))];
  const isPosted = async () => (await get(tables.MailRecords, { mailRecord })) !== null;
  const notice = { userId, authorId: 'mail', ...message, now: now(), once, isPosted };
  try {
    await whileOpen({ table: tables.Accounts, userId }, () => postNotice(tables.AgentBoardMessages, notice));
  } catch (error) {
    if (!(error instanceof Failure && error.error === AccountClosed)) throw error;
  }
}
