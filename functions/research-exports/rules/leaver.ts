import { isTime } from '../../../lib/contract/instant.ts';
import type { RowChange } from '../../consent-events/rules.ts';
import type { Concern, StreamChange } from '../../research/rules.ts';

/** Who left a study or was erased, from a change in the stream of the enrolments. Pure. @returns null if the change ends no participation */
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
  // A row of another form is of no honest function; a message with it could be refused for ever.
  if (isKnown || !isTime(at)) return null;
  const occasion = { reason: 'left', keepExported, at } as const;
  return { userId, studyId, occasion };
}

/**
 * A participant may revoke, consent and join again before the event of the revocation arrives. Then no row ever said that the
 * participant left. The chain of consents shows it.
 */
function againIn(
  { OldImage, NewImage }: RowChange,
  named: Pick<Concern, 'userId'> & { studyId: string },
): Concern | null {
  if (!OldImage || !NewImage || OldImage.leftAt?.S !== undefined) return null;
  const [before, now] = [OldImage, NewImage].map(({ consentSequence }) => Number(consentSequence?.N));
  const at = NewImage.consentRecordedAt?.S;
  if (before === undefined || now === undefined || !isTime(at)) return null;
  // Numbers have no gaps, so there is no record between two consecutive numbers.
  if (!(now - before >= 2)) return null;
  const occasion = { reason: 'left', keepExported: false, at } as const;
  return { ...named, occasion, between: { before, now } };
}
