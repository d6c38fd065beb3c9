import { isTime } from '../../../lib/contract/instant.ts';
import type { Concern, StreamChange } from '../../research/rules.ts';

/**
 * The corrections among the changes of `SleepEntries`: each entry that was there and now says something else, or was deleted. The
 * rows of an erased account are no corrections: the erasure of the enrolment has notices of its own. Pure.
 */
export function diaryCorrectionsIn(records: readonly StreamChange[]): Concern[] {
  return records.flatMap(({ dynamodb }) => {
    const { OldImage, NewImage, ApproximateCreationDateTime: seconds = 0 } = dynamodb ?? {};
    const [userId, entryArrivedAt] = [OldImage?.userId?.S, OldImage?.updatedAt?.S];
    if (!OldImage || !NewImage || userId === undefined || !isTime(entryArrivedAt)) return [];
    const wasThere = OldImage.isDeleted?.BOOL === false;
    const isOther =
      OldImage.fingerprint?.S !== NewImage.fingerprint?.S || OldImage.isDeleted?.BOOL !== NewImage.isDeleted?.BOOL;
    // As of corrected answers: the end of the second.
    const at = new Date((seconds + 1) * 1000).toISOString();
    const occasion = { reason: 'amended', at, entryArrivedAt } as const;
    return wasThere && isOther ? [{ userId, studyId: null, occasion }] : [];
  });
}
