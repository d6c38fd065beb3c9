import { type DomainEvent, numberIn, type RowChange, textIn } from '../../consent-events/rules.ts';

/**
 * The event of a decision about a sleep window, made from its row. It has ids and times, and nothing of the
 * prescription. There is no event for a proposal, because a proposal is not stored. If something suspends a window,
 * there is an event of the questionnaires.
 *
 * @returns null for a change that is not a decision, such as an erasure
 */
export function windowEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (!NewImage || OldImage) return null;
  const [userId, time, sequence] = [
    textIn(NewImage, 'userId'),
    textIn(NewImage, 'releasedAt'),
    numberIn(NewImage, 'sequence'),
  ];
  const replaces = NewImage.replaces?.N === undefined ? null : numberIn(NewImage, 'replaces');
  if (NewImage.isWithdrawn?.BOOL === true) {
    const detail = { userId, sequence: replaces, withdrawnAt: time };
    return { detailType: 'SleepWindowWithdrawn', time, detail };
  }
  const detail = { userId, sequence, releasedAt: time, ...(replaces !== null && { replaces }) };
  return { detailType: 'SleepWindowReleased', time, detail };
}
