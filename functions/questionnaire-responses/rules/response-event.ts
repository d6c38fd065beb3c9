import { type DomainEvent, type RowChange, textIn } from '../../consent-events/rules.ts';

/** The events of responses and flags, made from the tables' streams. They have ids and times, but no answers. Pure. */

/** @returns null for a change that is not a completion: a draft, a row of a list, an erasure */
export function completionEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (!NewImage || !textIn(NewImage, 'part').startsWith('response#')) return null;
  if (NewImage.status?.S !== 'completed' || OldImage?.status?.S === 'completed') return null;
  const completedAt = textIn(NewImage, 'completedAt');
  const amends = NewImage.amends?.S;
  const detail = {
    userId: textIn(NewImage, 'userId'),
    responseId: textIn(NewImage, 'responseId'),
    questionnaireId: textIn(NewImage, 'questionnaireId'),
    version: textIn(NewImage, 'version'),
    completedAt,
    ...(amends !== undefined && { amends }),
  };
  return { detailType: 'QuestionnaireCompleted', time: completedAt, detail };
}

/**
 * The event does not say which kind of flag it is, because this would be health data.
 *
 * @returns null for a change that raises or acknowledges no flag
 */
export function flagEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (!NewImage || !textIn(NewImage, 'part').startsWith('flag#')) return null;
  const detail = {
    flagId: textIn(NewImage, 'flagId'),
    userId: textIn(NewImage, 'userId'),
    responseId: textIn(NewImage, 'responseId'),
  };
  const [raisedAt, acknowledgedAt] = [textIn(NewImage, 'raisedAt'), NewImage.acknowledgedAt?.S];
  if (!OldImage) {
    const times = { raisedAt, recordedAt: textIn(NewImage, 'recordedAt'), receivedAt: textIn(NewImage, 'receivedAt') };
    return { detailType: 'QuestionnaireFlagRaised', time: raisedAt, detail: { ...detail, ...times } };
  }
  if (acknowledgedAt === undefined || OldImage.acknowledgedAt?.S !== undefined) return null;
  const acknowledged = { ...detail, acknowledgedAt };
  return { detailType: 'QuestionnaireFlagAcknowledged', time: acknowledgedAt, detail: acknowledged };
}
