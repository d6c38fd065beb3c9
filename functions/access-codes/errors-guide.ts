import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  AccessCodeMistyped: {
    when: 'The text has not 16 characters of A–Z and 2–7, besides spaces and hyphens, or its check character does not fit. It is not counted.',
    client: 'Ask the user to compare it with the code. 0, 1 and 8 are never in one: O, I and B may be meant.',
  },
  AccessCodeNotFound: {
    when: 'The text is well formed, and no such code was issued; or the id is of none. Ten of a user within an hour lock further tries.',
    client: 'Ask the user to compare it with the code, and to turn to who handed it out.',
  },
  AccessCodeBatchNotFound: {
    when: 'The id is of no batch.',
    client: 'Read the list of batches again.',
  },
  AccessCodeRedeemed: {
    when: 'Somebody else redeemed the code; or it is to be revoked and is redeemed already. Who redeems their own code again gets its entitlement, and not this.',
    client:
      'A user turns to who handed the code out. An administrator sends `endEntitlements` to end what it unlocked, too.',
  },
  AccessCodeExpired: {
    when: 'The `redeemBy` of its batch has passed.',
    client: 'The user asks for another code.',
  },
  AccessCodeRevoked: {
    when: 'The code or its batch was revoked before anybody redeemed it.',
    client: 'The user turns to who handed it out.',
  },
  AccessCodeBatchRevoked: {
    when: 'The answer to a first request was lost while its codes were still being written, and somebody revoked the batch since.',
    client: 'Issue another batch, with a key of its own.',
  },
  AccessCodeSiteUnavailable: {
    when: '`shareWithSite` was sent with the code of a site that is closed, or by a user who is with 20 sites already. Nothing was changed.',
    client: 'Redeem the code without `shareWithSite`.',
  },
  AccessCodeLocked: {
    when: 'The tenth code within an hour that does not exist was tried before. Whatever is tried until `lockedUntil`, also a code that exists, gets this.',
    client: 'Let the user try again at `lockedUntil`. `Retry-After` is the longest that it can be.',
    example: { lockedUntil: '2026-11-22T08:14:07.153Z' },
  },
};
