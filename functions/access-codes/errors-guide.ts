import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  AccessCodeMistyped: {
    when: 'Without spaces and hyphens, the text does not have 16 characters of A–Z and 2–7, or its check character does not match. The attempt is not counted.',
    client:
      'Ask the user to compare the text with the code. A code never has 0, 1 or 8: the user may have misread O, I or B.',
  },
  AccessCodeNotFound: {
    when:
      'The text has the form of a code, but no such code was issued; or there is no code with this id. After ten ' +
      'such attempts within an hour the user cannot try codes for a while.',
    client:
      'Ask the user to compare the text with the code, and to contact the person or organisation that gave it to them.',
  },
  AccessCodeBatchNotFound: {
    when: 'There is no batch with this id.',
    client: 'Read the list of batches again.',
  },
  AccessCodeRedeemed: {
    when: 'Another user redeemed the code. Or the request was to revoke a code that is already redeemed. A user who redeems the same code again gets its entitlement, and not this error.',
    client:
      'Tell the user to contact the person or organisation that gave them the code. With `endEntitlements`, an administrator also ends what the code unlocked.',
  },
  AccessCodeExpired: {
    when: 'The time `redeemBy` of the code’s batch has passed.',
    client: 'Ask the user to get another code.',
  },
  AccessCodeRevoked: {
    when: 'The code or its batch was revoked before anybody redeemed it.',
    client: 'Tell the user to contact the person or organisation that gave them the code.',
  },
  AccessCodeBatchRevoked: {
    when: 'The first request was interrupted while its codes were being written, and somebody has revoked the batch since then.',
    client: 'Issue another batch, with a new key.',
  },
  AccessCodeSiteUnavailable: {
    when: '`shareWithSite` was sent with the code of a site that is closed, or by a user who has already joined 20 sites. Nothing was changed.',
    client: 'Redeem the code without `shareWithSite`.',
  },
  AccessCodeLocked: {
    when: 'The user tried ten codes that do not exist within an hour. Until `lockedUntil`, every attempt gets this error, also with an existing code.',
    client: 'Let the user try again at `lockedUntil`. `Retry-After` is the longest possible time.',
    example: { lockedUntil: '2026-11-22T08:14:07.153Z' },
  },
};
