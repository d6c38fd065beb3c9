import { type DomainEvent, type RowChange, textIn } from './image.ts';

/**
 * The event that every consent of a user has ended: the deletion of the account was requested. Pure, made of the stream of
 * table `Erasures`. No record says it, as records are what the user decided.
 */

export type EndingEvent = {
  userId: string;
  /** The same each time that it is told again. */
  endedAt: string;
};

/**
 * @returns null for what is no request: a hold, a step on the way, a queue's row, and what a request that was known has
 * come to
 * @throws an Error where a request is not of its form
 */
export function consentEndedEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (NewImage?.kind?.S !== 'user') return null;
  const endedAt = NewImage.requestedAt?.S;
  if (endedAt === undefined || OldImage?.requestedAt?.S === endedAt) return null;
  if (Number.isNaN(Date.parse(endedAt))) throw new Error('a request is of no time');
  const detail: EndingEvent = { userId: textIn(NewImage, 'userId'), endedAt };
  return { detailType: 'ConsentsEnded', time: endedAt, detail };
}
