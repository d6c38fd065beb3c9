import { isIdInRow } from '../../../lib/contract/id.ts';
import { hashOfUser } from '../../../lib/runtime/log.ts';
import { type AccessLogEntry, lookExpiry, lookIdAt } from '../../access/data-subject.ts';
import { accessLogChangesPrefix } from '../../evidence/buckets.ts';
import type { WatchedAppends } from '../../evidence/exports.ts';
import { isTyped, type StoredRow } from '../../evidence/rules.ts';
import { accessLogTamperedWith } from '../metrics.ts';
import { AccessLog } from '../tables.ts';

const types = {
  text: ['userId', 'by', 'action', 'requestId'],
  texts: ['roles'],
  'text or null': ['name', 'siteId', 'relation', 'agreementId', 'consentRecordId'],
};

const ids = ['siteId', 'agreementId', 'consentRecordId'];
const longest = { userId: 128, by: 128, name: 200, action: 200, requestId: 128, role: 64 };
const mostRoles = 50;
const relations: Readonly<Record<NonNullable<AccessLogEntry['relation']>, true>> = {
  care: true,
  support: true,
  safety: true,
};

/** Whether its texts are such as looks have: the list of a person's looks looks up each site, and shows the rest. @param row typed */
function isFit(row: StoredRow): boolean {
  const { role, ...texts } = longest;
  const isIdOrNull = (name: string) => row[name] === null || isIdInRow(row[name]);
  const isShort = ([name, most]: [string, number]) => String(row[name] ?? '').length <= most;
  const { L: roles } = row.roles as { readonly L: readonly { readonly S: string }[] };
  return (
    ids.every(isIdOrNull) &&
    Object.entries(texts).every(isShort) &&
    roles.length <= mostRoles &&
    roles.every(({ S }) => S.length <= role) &&
    (row.relation === null || Object.hasOwn(relations, String(row.relation)))
  );
}

/** The access log, as its watcher knows it. */
export const watchedLooks: WatchedAppends = {
  rules: {
    attributes: AccessLog.ledger?.attributes ?? [],
    isWellFormed: ({ at, lookId, ...row }) => {
      const begin = lookIdAt(at);
      if (!isTyped(row, types) || !isFit(row)) return false;
      return String(lookId).startsWith(begin) && /^[0-9a-f]{16}$/.test(String(lookId).slice(begin.length));
    },
    expiryOf: lookExpiry,
  },
  named: ({ userId, lookId }) => ({ user: hashOfUser(String(userId)), lookId: String(lookId) }),
  prefix: accessLogChangesPrefix,
  metric: accessLogTamperedWith,
  message: 'a forbidden change of the access log',
  subject: 'access log tampered with',
  runbook: 'access-log-tampered-with',
};
