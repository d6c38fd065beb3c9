import { queue } from '../../lib/contract/queues.ts';

/** One message for each mail that is to be sent. No code is in it: the consumer draws it. */
export const MailQueue = queue('MailQueue', {
  maxReceives: 5,
  lossImpact: 'Mails were given up: people wait for codes, invitations and notices that do not come',
  delayImpact: 'Codes and notices arrive minutes late',
});
