import { type DomainEvent, type Image, type RowChange, textIn } from './image.ts';

/**
 * The events of an account's end, made of the stream of table `Erasures`. Pure. No record says that consents ended with the
 * account, as records are what the user decided; nor that the account was kept.
 */

type EndingEvent = {
  userId: string;
  /** The same if the event is sent again. */
  endedAt: string;
};

type RestorationEvent = {
  userId: string;
  restoredAt: string;
  /** What was consented to until then stays ended, until the user agrees again. */
  endedAt: string;
};

/**
 * @returns null for what neither ends nor restores anything: a hold, a step on the way, a queue's row
 * @throws an Error where a state is not of its form
 */
export function accountEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (NewImage?.kind?.S !== 'user') return null;
  const userId = textIn(NewImage, 'userId');
  if (NewImage.erasureKey?.S !== userId) throw new Error('the key of a state says whose it is');
  const [endedAt, restoredAt] = [endOf(NewImage), NewImage.restoredAt?.S];
  if (endedAt !== undefined && endedAt !== endOf(OldImage)) {
    const detail: EndingEvent = { userId, endedAt: timeOf(endedAt) };
    return { detailType: 'ConsentsEnded', time: endedAt, detail };
  }
  // After a restore from a backup the row may be new: the state before is then not known, nor needed.
  if (restoredAt !== undefined && restoredAt !== OldImage?.restoredAt?.S) {
    const ended = endOf(OldImage) ?? restoredAt;
    const detail: RestorationEvent = {
      userId,
      restoredAt: timeOf(restoredAt),
      endedAt: timeOf(ended),
    };
    return { detailType: 'AccountRestored', time: restoredAt, detail };
  }
  return null;
}

/** Once it is final. */
function endOf(image: Image | undefined): string | undefined {
  return image?.settledAt?.S === undefined ? undefined : image.endedAt?.S;
}

function timeOf(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new Error('a state is of no time');
  return text;
}
