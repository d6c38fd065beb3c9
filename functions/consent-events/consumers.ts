import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import { eventBus, sendTo } from '../../lib/contract/uses.ts';
import { ConsentRecords } from '../consents/tables.ts';
import { Erasures } from '../erasure/tables.ts';
import { ConsentRevocations } from './queues.ts';

/**
 * A revocation has to stop something: other services learn of each change of a consent (decision 23). A revocation that nobody
 * hears of is worse than a late one, so what fails is tried again until it is too old.
 */
export const publishConsentEvents = consumer({
  summary: 'Tells other services of each change of a consent, and hands on the revocations within this one',
  application: 'sleepcare',
  stream: ConsentRecords,
  uses: [eventBus('publish'), sendTo(ConsentRevocations)],
  // A revocation is sent at once.
  retries: untilTooOld,
  impact:
    'Other services still process data after the consent was revoked, unless they ask for the state themselves; participants of studies who revoked still count',
});

/** Also the deletion of the account has to stop something, and no record says it. */
export const publishConsentEndings = consumer({
  summary: 'Tells other services that the consents of a user ended with the account, and that an account was restored',
  application: 'sleepcare',
  stream: Erasures,
  uses: [eventBus('publish')],
  retries: untilTooOld,
  impact: 'Other services still process data of users who deleted their accounts, unless they ask for the state',
});
