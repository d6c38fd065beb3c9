import { isTime } from '../../../lib/contract/instant.ts';
import { type RowChange, textIn } from '../../consent-events/rules.ts';
import { isId } from '../../questionnaire-responses/rules.ts';
import type { RaisedFlag } from './urgent-ticket.ts';

/** What a change of the flags' table means for tickets. Pure. */

export type FlagChange =
  | { readonly raised: RaisedFlag; readonly acknowledged?: never }
  /** The row says that somebody has acknowledged it. Whether that is so, only the decision's own row says. */
  | { readonly acknowledged: RaisedFlag; readonly raised?: never };

/** @returns null for what raises and acknowledges nothing; `unknown` for a flag's row that lacks what a flag has */
export function flagChangeOf({ OldImage, NewImage }: RowChange): FlagChange | null | 'unknown' {
  if (!NewImage?.part?.S?.startsWith('flag#')) return null;
  try {
    const ids = { flagId: textIn(NewImage, 'flagId'), responseId: textIn(NewImage, 'responseId') };
    const times = { recordedAt: textIn(NewImage, 'recordedAt'), receivedAt: textIn(NewImage, 'receivedAt') };
    const flag = { ...ids, ...times, userId: textIn(NewImage, 'userId'), raisedAt: textIn(NewImage, 'raisedAt') };
    // A call with another one could be refused for ever, and would hold up the stream.
    const isFit =
      [flag.flagId, flag.responseId, flag.userId].every(isId) && [flag.raisedAt, ...Object.values(times)].every(isTime);
    if (!isFit) return 'unknown';
    if (!OldImage) return { raised: flag };
    const isNew = NewImage.acknowledgedAt?.S !== undefined && OldImage.acknowledgedAt?.S === undefined;
    return isNew ? { acknowledged: flag } : null;
  } catch {
    return 'unknown';
  }
}
