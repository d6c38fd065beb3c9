import { type RowChange, textIn } from '../../consent-events/rules.ts';
import type { RaisedFlag } from './urgent-ticket.ts';

/** What a change of the flags' table means for tickets. Pure. */

type Acknowledged = { readonly flag: RaisedFlag; readonly at: string; readonly by: string };

export type FlagChange =
  | { readonly raised: RaisedFlag; readonly acknowledged?: never }
  | { readonly acknowledged: Acknowledged; readonly raised?: never };

/** @returns null for what raises and acknowledges nothing; `unknown` for a flag's row that lacks what a flag has */
export function flagChangeOf({ OldImage, NewImage }: RowChange): FlagChange | null | 'unknown' {
  if (!NewImage?.part?.S?.startsWith('flag#')) return null;
  try {
    const ids = { flagId: textIn(NewImage, 'flagId'), responseId: textIn(NewImage, 'responseId') };
    const times = { recordedAt: textIn(NewImage, 'recordedAt'), receivedAt: textIn(NewImage, 'receivedAt') };
    const flag = { ...ids, ...times, userId: textIn(NewImage, 'userId'), raisedAt: textIn(NewImage, 'raisedAt') };
    if (!OldImage) return { raised: flag };
    const [at, by] = [NewImage.acknowledgedAt?.S, NewImage.acknowledgedBy?.S];
    const isNew = at !== undefined && OldImage.acknowledgedAt?.S === undefined;
    return isNew ? { acknowledged: { flag, at, by: by ?? '' } } : null;
  } catch {
    return 'unknown';
  }
}
