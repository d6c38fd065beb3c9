import { consumeStream } from '../../../lib/runtime/consume.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { mailTo, noticeId, timeToTell } from '../../mail/exports.ts';
import { watchConsentStates } from '../consumers.ts';
import { watchPointers } from '../workflows/watch-pointers.ts';

export const handler = consumeStream(watchConsentStates)(
  (records, { tables, buckets, queues, operators, where, log }) =>
    watchPointers(records, {
      table: tables.ConsentRecords,
      evidence: { s3: s3(), bucket: buckets.Evidence },
      operators: { client: sns(), topicArn: operators, environment: where.environment },
      tell: ({ userId, recordedAt, hash, eventId }) =>
        mailTo(
          queues.MailQueue,
          {
            kind: 'data-shared',
            application: 'sleepcare',
            to: { userId },
            locale: null,
            data: { at: timeToTell(recordedAt) },
          },
          // A forged record may repeat the hash of another one; then it is another consent.
          noticeId(userId, 'data-shared', `${recordedAt}/${hash}/${eventId}`),
        ),
      log,
    }),
);
