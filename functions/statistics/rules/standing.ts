import { type RowChange, textIn } from '../../consent-events/rules.ts';
import type { Recorded } from './tally.ts';

/** What a change of a pointer says of its chain: which record is its last, or that the chain was let go. */

type Chain = { readonly userId: string; readonly agreementId: string };

/**
 * @returns null where the pointer went
 * @throws an Error where it is not of its form
 */
export function standingOf({ NewImage }: RowChange): (Chain & Recorded) | null {
  if (!NewImage) return null;
  const text = (name: string) => textIn(NewImage, name);
  const [action, sequence] = [text('action'), Number(NewImage.sequence?.N)];
  if (action !== 'agreed' && action !== 'revoked') throw new Error('a state is neither agreed nor revoked');
  if (!Number.isSafeInteger(sequence)) throw new Error('a state has no sequence');
  if (Number.isNaN(Date.parse(text('recordedAt')))) throw new Error('a state is of no time');
  const [userId, agreementId] = [text('userId'), text('agreementId')];
  return { userId, agreementId, action, sequence, versionId: text('versionId'), recordedAt: text('recordedAt') };
}

/** All records of an erased user have their expiry: the pointers are deleted last. */
export function releasedChain({ OldImage, NewImage }: RowChange): Chain | null {
  if (NewImage || !OldImage) return null;
  return { userId: textIn(OldImage, 'userId'), agreementId: textIn(OldImage, 'agreementId') };
}
