import { numberIn, type RowChange, textIn } from '../../consent-events/rules.ts';

/** The revocation in a change of the table `ConsentStates`. Pure. */

export type Revocation = {
  readonly userId: string;
  readonly agreementId: string;
  readonly sequence: number;
  readonly recordedAt: string;
};

/**
 * @returns null for a consent, and for a chain that goes
 * @throws an Error where a row is not of its form
 */
export function revocationIn({ NewImage }: RowChange): Revocation | null {
  if (!NewImage) return null;
  const [action, sequence] = [textIn(NewImage, 'action'), numberIn(NewImage, 'sequence')];
  if (action === 'agreed') return null;
  if (action !== 'revoked') throw new Error('a state is neither agreed nor revoked');
  if (!Number.isSafeInteger(sequence)) throw new Error('a state has no sequence');
  const recordedAt = textIn(NewImage, 'recordedAt');
  if (Number.isNaN(Date.parse(recordedAt))) throw new Error('a state is of no time');
  return { userId: textIn(NewImage, 'userId'), agreementId: textIn(NewImage, 'agreementId'), sequence, recordedAt };
}
