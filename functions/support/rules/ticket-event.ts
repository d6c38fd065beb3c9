import { type DomainEvent, type RowChange, textIn } from '../../consent-events/rules.ts';

/** The events of tickets, made of the table's stream: ids, states and times, and no text. Pure. */

/** @returns null for what changes no state: a comment, a list's row, an erasure */
export function ticketEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (!NewImage || textIn(NewImage, 'name') !== 'ticket') return null;
  const ids = { ticketId: textIn(NewImage, 'ticketId'), userId: textIn(NewImage, 'userId') };
  const [state, updatedAt] = [textIn(NewImage, 'state'), textIn(NewImage, 'updatedAt')];
  if (OldImage?.state?.S === state) return null;
  const detailType = OldImage ? 'TicketStateChanged' : 'TicketOpened';
  return { detailType, time: updatedAt, detail: { ...ids, state, updatedAt } };
}

/** @returns null for what neither opens nor acknowledges an urgent ticket */
export function urgentTicketEventOf({ OldImage, NewImage }: RowChange): DomainEvent | null {
  if (!NewImage || textIn(NewImage, 'name') !== 'ticket') return null;
  const ids = { ticketId: textIn(NewImage, 'ticketId'), userId: textIn(NewImage, 'userId') };
  const [raisedAt, acknowledgedAt] = [textIn(NewImage, 'raisedAt'), NewImage.acknowledgedAt?.S];
  // One that is written as acknowledged was never open.
  if (!OldImage && acknowledgedAt === undefined)
    return { detailType: 'UrgentTicketOpened', time: raisedAt, detail: { ...ids, raisedAt } };
  if (acknowledgedAt === undefined || OldImage?.acknowledgedAt?.S !== undefined) return null;
  return { detailType: 'UrgentTicketAcknowledged', time: acknowledgedAt, detail: { ...ids, acknowledgedAt } };
}
