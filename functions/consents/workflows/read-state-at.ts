import type { Account } from '../../../lib/contract/accounts.ts';
import type { ConsentRecords } from '../../access/consent-states.ts';
import { hasAgreement } from '../../agreements/exports.ts';
import type { Agreements } from '../../agreements/tables.ts';
import { stateAt } from '../rules/state-at.ts';
import { readRecordAt } from '../stores/consent-rows.ts';

type StateAtTables = {
  ConsentRecords: ConsentRecords<'query'>;
  Agreements: Agreements<'get'>;
};
type StateAtQuery = {
  application: string;
  userId: string;
  agreementId: string;
  at: string | undefined;
  now: Date;
  account: () => Promise<Account>;
};

/**
 * Whether a user consented at a time, from the ledger itself and from the ends of the account.
 *
 * @returns null if the application has no such agreement
 */
export async function readStateAt(tables: StateAtTables, asked: StateAtQuery) {
  const { application, userId, agreementId, now } = asked;
  // The time of a new record may be ahead of this host's clock. So the present state is that of the last record, whatever its time.
  const past = asked.at !== undefined && Date.parse(asked.at) < now.getTime() ? new Date(asked.at).toISOString() : null;
  const [isThere, record, { ends }] = await Promise.all([
    hasAgreement(tables.Agreements, application, agreementId),
    readRecordAt(tables.ConsentRecords, { userId, agreementId, at: past }),
    asked.account(),
  ]);
  return isThere ? { userId, agreementId, ...stateAt({ record, ends, past, now }) } : null;
}
