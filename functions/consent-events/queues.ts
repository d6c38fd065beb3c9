import { queue } from '../../lib/contract/queues.ts';

/** One message for each revocation, for what in this service rests on a consent. */
export const ConsentRevocations = queue('ConsentRevocations', {
  maxReceives: 5,
  lossImpact:
    'Users who revoked a consent still count as participants of its studies; exports do not have their data, because they check the consent themselves',
  delayImpact: 'Users who revoked a consent count as participants of its studies for some minutes more',
});
