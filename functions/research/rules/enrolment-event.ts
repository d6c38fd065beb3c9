import { type DomainEvent, type RowChange, textIn } from '../../consent-events/rules.ts';

/** The events of enrolments, made of the table's stream: ids and times, neither group nor pseudonym. Pure. */

/** @returns null for what is neither a join nor an end: an erasure, another choice */
export function enrolmentEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (!NewImage) return null;
  const ids = { studyId: textIn(NewImage, 'studyId'), userId: textIn(NewImage, 'userId') };
  const [enrolledAt, leftAt] = [textIn(NewImage, 'enrolledAt'), NewImage.leftAt?.S];
  if (leftAt !== undefined) {
    if (OldImage?.leftAt?.S !== undefined) return null;
    return { detailType: 'StudyLeft', time: leftAt, detail: { ...ids, leftAt } };
  }
  if (OldImage && OldImage.leftAt?.S === undefined) return null;
  return { detailType: 'StudyJoined', time: enrolledAt, detail: { ...ids, enrolledAt } };
}
