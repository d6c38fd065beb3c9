import { type DomainEvent, type Image, type RowChange, textIn } from '../../consent-events/rules.ts';

/**
 * The event of a unit that was completed, made of the row of its course: each write changes one unit. Ids and times, and nothing
 * of what was answered. That another phone turns out to have been earlier is no second completion.
 *
 * @returns null for what completes nothing: progress, an erasure
 */
export function completionEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (!NewImage) return null;
  const before = unitsIn(OldImage);
  const [done] = Object.values(unitsIn(NewImage)).flatMap(({ M: unit = {} }) => {
    const unitId = textIn(unit, 'unitId');
    const isNew = unit.completedAt?.S !== undefined && before[unitId]?.M?.completedAt?.S === undefined;
    return isNew ? [{ unitId, completedAt: textIn(unit, 'completedAt') }] : [];
  });
  if (!done) return null;
  const [userId, courseId] = [textIn(NewImage, 'userId'), textIn(NewImage, 'courseId')];
  return { detailType: 'LearningUnitCompleted', time: done.completedAt, detail: { userId, courseId, ...done } };
}

function unitsIn(image: Image | undefined): Image {
  return image?.units?.M ?? {};
}
