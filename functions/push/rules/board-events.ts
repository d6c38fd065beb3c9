import type { BoardEvent } from './delivery.ts';

/** What the stream of `AgentBoardMessages` tells: rows before and after a change, in DynamoDB's JSON. */

type Value = { readonly S?: string | undefined; readonly N?: string | undefined };
type Image = { readonly [name: string]: Value };

export type BoardChange = {
  readonly OldImage?: Image | undefined;
  readonly NewImage?: Image | undefined;
};

/**
 * @returns null for a change that nobody is told of: of the board's own row, of a message that went, a second reading
 * @throws an Error where a message's row is not as the agent board writes it
 */
export function boardEventOf({ OldImage, NewImage }: BoardChange): BoardEvent | null {
  const [id, userId] = [text(NewImage, 'messageId'), text(NewImage, 'userId')];
  if (!NewImage || id?.startsWith('~')) return null;
  const isPosted = OldImage === undefined;
  const isFirstReading = text(OldImage, 'readAt') === undefined && text(NewImage, 'readAt') !== undefined;
  if (!isPosted && !isFirstReading) return null;
  const eventId = text(NewImage, 'eventId');
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
