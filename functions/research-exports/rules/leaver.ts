import type { RowChange } from '../../consent-events/rules/image.ts';
import type { Occasion } from './notice.ts';

/** What the queue carries beside steps of exports: somebody of whom the recipients of exports are to be told. */
export type Concern = {
  readonly userId: string;
  /** Null: each study that the user is in, or was. */
  readonly studyId: string | null;
  readonly occasion: Occasion;
  /** Only where a revocation lies between these two records of the consent. */
  readonly between?: Between;
};

/** The consents that an enrolment rested on before, and rests on now, by their numbers. */
export type Between = { readonly agreementId: string; readonly before: number; readonly now: number };

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
  if (at === undefined) return againIn({ OldImage, NewImage }, { userId, studyId });
  return isKnown ? null : { userId, studyId, occasion: { reason: 'left', keepExported, at } };
}

/**
 * Who revoked, consented and joined again before the revocation's event came: no row ever said that they left. The chain of consents
 * says whether they did.
 */
function againIn(
  { OldImage, NewImage }: RowChange,
  named: Pick<Concern, 'userId'> & { studyId: string },
): Concern | null {
  if (!OldImage || !NewImage || OldImage.leftAt?.S !== undefined) return null;
  const [before, now] = [OldImage, NewImage].map(({ consentSequence }) => Number(consentSequence?.N));
  const [agreementId, at] = [NewImage.agreementId?.S, NewImage.consentRecordedAt?.S];
  if (before === undefined || now === undefined || agreementId === undefined || at === undefined) return null;
  // Each record has the next number: of two neighbours none lies between.
  if (!(now - before >= 2)) return null;
  const occasion = { reason: 'left', keepExported: false, at } as const;
  return { ...named, occasion, between: { agreementId, before, now } };
}
