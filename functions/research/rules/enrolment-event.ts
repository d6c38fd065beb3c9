import { isDeepStrictEqual } from 'node:util';
import { type DomainEvent, type RowChange, textIn } from '../../consent-events/rules.ts';

/** The events of enrolments, made of the table's stream: ids and times, neither group nor pseudonym. Pure. */

/** Who joins again has another `enrolledAt`. Until then only the end, once, and the choice change. */
const fixed = ['group', 'agreementId', 'consentId', 'consentRecordedAt', 'consentSequence', 'codeId'];

/**
 * @returns null for what is neither a join nor an end: an erasure, another choice
 * @throws an Error where a row is not of its form, or where no honest function makes the change, such as another arm of the trial
 */
export function enrolmentEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (!NewImage) return null;
  const ids = { studyId: textIn(NewImage, 'studyId'), userId: textIn(NewImage, 'userId') };
  const [enrolledAt, leftAt] = [textIn(NewImage, 'enrolledAt'), NewImage.leftAt?.S];
  const kept = OldImage?.leftAt?.S === undefined ? fixed : [...fixed, 'leftAt'];
  if (OldImage?.enrolledAt?.S === enrolledAt && kept.some((name) => !isDeepStrictEqual(OldImage[name], NewImage[name])))
    throw new Error('no function changes this of an enrolment');
  if (leftAt !== undefined) {
    if (OldImage?.leftAt?.S !== undefined) return null;
    return { detailType: 'StudyLeft', time: leftAt, detail: { ...ids, leftAt } };
  }
  // A row before it that lacks what an enrolment has was of no honest function.
  if (OldImage?.enrolledAt?.S === enrolledAt && OldImage.leftAt?.S === undefined) return null;
  return { detailType: 'StudyJoined', time: enrolledAt, detail: { ...ids, enrolledAt } };
}

/** Who takes part now and did not before, by any row: also by one that no honest function writes. */
export function joinIn({ OldImage, NewImage }: RowChange): { readonly userId: string; readonly at: string } | null {
  const [userId, at] = [NewImage?.userId?.S, NewImage?.enrolledAt?.S ?? ''];
  const isIn = NewImage !== undefined && NewImage.leftAt?.S === undefined;
  const wasIn = OldImage !== undefined && OldImage.leftAt?.S === undefined && OldImage.enrolledAt?.S === at;
  return userId !== undefined && isIn && !wasIn ? { userId, at: at.slice(0, 24) } : null;
}
