import type { Concern, StreamChange } from '../../research/rules.ts';

/** The corrections among the changes of `QuestionnaireResponses`: each completed response that names an earlier one, once. Pure. */
export function amendmentsIn(records: readonly StreamChange[]): Concern[] {
  return records.flatMap(({ dynamodb }) => {
    const { OldImage, NewImage, ApproximateCreationDateTime: seconds = 0 } = dynamodb ?? {};
    const userId = NewImage?.userId?.S;
    const isAmendment =
      NewImage?.part?.S?.startsWith('response#') === true &&
      NewImage.status?.S === 'completed' &&
      NewImage.amends?.S !== undefined &&
      OldImage?.status?.S !== 'completed';
    // Real time, as exports know it: the stream rounds it to seconds, and this is the end of that second.
    const occasion = { reason: 'amended', at: new Date((seconds + 1) * 1000).toISOString() } as const;
    return isAmendment && userId !== undefined ? [{ userId, studyId: null, occasion }] : [];
  });
}
