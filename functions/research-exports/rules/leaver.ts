import type { RowChange } from '../../consent-events/rules/image.ts';
import type { Occasion } from './notice.ts';

/** What the queue carries beside steps of exports: somebody of whom the recipients of exports are to be told. */
export type Concern = {
  readonly userId: string;
  /** Null: each study that the user is in, or was. */
  readonly studyId: string | null;
  readonly occasion: Occasion;
};

/** A change as a stream brings it, with the second in which it was made. */
export type StreamChange = {
  readonly dynamodb?: (RowChange & { readonly ApproximateCreationDateTime?: number | undefined }) | undefined;
};

/** Who left a study or was erased, as the stream of the enrolments says it. Pure. @returns null for what ends no participation */
export function leaverIn({ dynamodb }: StreamChange): Concern | null {
  const { OldImage, NewImage, ApproximateCreationDateTime: seconds = 0 } = dynamodb ?? {};
  const [userId, studyId] = [(NewImage ?? OldImage)?.userId?.S, (NewImage ?? OldImage)?.studyId?.S];
  if (userId === undefined || studyId === undefined) return null;
  // Only an erasure deletes an enrolment.
  if (!NewImage) {
    const occasion = { reason: 'erased', at: new Date(seconds * 1000).toISOString() } as const;
    return { userId, studyId, occasion };
  }
  const [at, keepExported] = [NewImage.leftAt?.S, NewImage.keepExported?.BOOL === true];
  const isKnown = OldImage?.leftAt?.S !== undefined && (OldImage.keepExported?.BOOL === true) === keepExported;
  return at === undefined || isKnown ? null : { userId, studyId, occasion: { reason: 'left', keepExported, at } };
}
