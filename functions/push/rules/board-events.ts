import type { BoardEvent } from './delivery.ts';

/** What the stream of `AgentBoardMessages` tells: rows before and after a change, in DynamoDB's JSON. */

type Value = { readonly S?: string | undefined; readonly N?: string | undefined };
type Image = { readonly [name: string]: Value };

export type BoardChange = {
  readonly OldImage?: Image | undefined;
  readonly NewImage?: Image | undefined;
};

/**
 * A new message has an event, and so has each other change of the count: a first reading, all that was read up to a message
 * (`!read.…`), and the deletion of an unread one, whose event stands in the board's own row (`~board`).
 *
 * @returns null for a change without an event: another one of the board's own row, a row that went, a second reading
 * @throws an Error where a message's row is not as the agent board writes it
 */
export function boardEventOf({ OldImage, NewImage }: BoardChange): BoardEvent | null {
  const [id, userId] = [text(NewImage, 'messageId'), text(NewImage, 'userId')];
  const eventId = text(NewImage, 'eventId');
  if (!NewImage) return null;
  const isBoard = id?.startsWith('~') === true;
  const isPosted = OldImage === undefined && !isBoard && id?.startsWith('!') !== true;
  const isFirstReading = !isBoard && text(OldImage, 'readAt') === undefined && text(NewImage, 'readAt') !== undefined;
  const isDeletion = isBoard && eventId !== undefined && eventId !== text(OldImage, 'eventId');
  if (!isPosted && !isFirstReading && !isDeletion) return null;
  const [badge, order] = [number(NewImage, 'unreadCountAfter'), number(NewImage, 'boardRevision')];
  if (!id || !userId || !eventId || badge === undefined || order === undefined) {
    throw new Error('a row of the agent board is not of its form');
  }
  const notification = isPosted
    ? ({ type: 'agent_board', messageId: id, badge } as const)
    : ({ type: 'badge_sync', badge } as const);
  return { userId, eventId, order, notification };
}

function text(image: Image | undefined, name: string): string | undefined {
  return image?.[name]?.S;
}

function number(image: Image, name: string): number | undefined {
  const written = image[name]?.N;
  return written === undefined || !Number.isSafeInteger(Number(written)) ? undefined : Number(written);
}
