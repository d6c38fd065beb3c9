import { type DomainEvent, numberIn, type RowChange, textIn } from '../../consent-events/rules/image.ts';

/**
 * The event of a decision about a sleep window, made of its row: ids and times, and nothing of what was prescribed. What is
 * proposed is nowhere stored, and what suspends a window is an event of questionnaires.
 *
 * @returns null for what is no decision: an erasure
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
