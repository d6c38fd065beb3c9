import { hashOfUser } from '../../../lib/runtime/log.ts';
import { lookExpiry, lookIdAt } from '../../access/data-subject.ts';
import { accessLogChangesPrefix } from '../../evidence/buckets.ts';
import type { WatchedAppends } from '../../evidence/exports.ts';
import { isTyped } from '../../evidence/rules.ts';
import { accessLogTamperedWith } from '../metrics.ts';
import { AccessLog } from '../tables.ts';

const types = {
  text: ['userId', 'by', 'action', 'requestId'],
  texts: ['roles'],
  'text or null': ['name', 'siteId', 'relation', 'agreementId', 'consentRecordId'],
};

/** The access log, as its watcher knows it. */
export const watchedLooks: WatchedAppends = {
  rules: {
    attributes: AccessLog.ledger?.attributes ?? [],
    isWellFormed: ({ at, lookId, ...row }) => {
      const begin = lookIdAt(at);
      if (!isTyped(row, types)) return false;
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
