import { queue } from '../../lib/contract/queues.ts';

/** One message for each accepted invitation: whose it is, and which state of the account was accepted. */
export const AcceptedInvitations = queue('AcceptedInvitations', {
  maxReceives: 5,
  lossImpact:
    'Members of staff who accepted an invitation have no roles. An administrator renews the invitation, and they accept it again',
  delayImpact: 'Members of staff who accept an invitation are answered 503, and try again',
});
