import type { DynamoDBRecord } from 'aws-lambda';
import type { Occasion } from './notice.ts';

/** Who left a study, as the stream of the enrolments says it. Pure. */

export type Leaver = { readonly userId: string; readonly studyId: string; readonly occasion: Occasion };

/** @returns null for what ends no participation; an erasure puts its own notices */
export function leaverIn({ dynamodb }: DynamoDBRecord): Leaver | null {
  const { OldImage, NewImage } = dynamodb ?? {};
  const [at, userId, studyId] = [NewImage?.leftAt?.S, NewImage?.userId?.S, NewImage?.studyId?.S];
  if (at === undefined || userId === undefined || studyId === undefined) return null;
  const keepExported = NewImage?.keepExported?.BOOL === true;
  // Whoever left and changes the choice on exported data says it once more.
  const isKnown = OldImage?.leftAt?.S !== undefined && (OldImage.keepExported?.BOOL === true) === keepExported;
  return isKnown ? null : { userId, studyId, occasion: { reason: 'left', keepExported, at } };
}
