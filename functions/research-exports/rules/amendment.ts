import type { DynamoDBRecord } from 'aws-lambda';

/** That a user corrected a completed response. */
export type Amendment = {
  readonly userId: string;
  /** Real time, as exports know it; the stream rounds it to seconds, and this is the end of that second. */
  readonly at: string;
};

/** The corrections among the changes of `QuestionnaireResponses`: each completed response that names an earlier one, once. Pure. */
export function amendmentsIn(records: readonly DynamoDBRecord[]): Amendment[] {
  return records.flatMap(({ dynamodb }) => {
    const { OldImage, NewImage, ApproximateCreationDateTime: seconds = 0 } = dynamodb ?? {};
    const userId = NewImage?.userId?.S;
    const isAmendment =
      NewImage?.part?.S?.startsWith('response#') === true &&
      NewImage.status?.S === 'completed' &&
      NewImage.amends?.S !== undefined &&
      OldImage?.status?.S !== 'completed';
    return isAmendment && userId !== undefined ? [{ userId, at: new Date((seconds + 1) * 1000).toISOString() }] : [];
  });
}
