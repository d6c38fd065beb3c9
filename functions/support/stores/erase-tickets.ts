import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { countName, type Key, listKeys, readTicket, stillIs, ticketPart, userPart } from './ticket-rows.ts';
import { eraseUrgentItems, readUrgentTicket } from './urgent-rows.ts';

/** A patient's tickets: what they asked, what was answered, what staff noted. What leads to a ticket goes last, so that it can be repeated. */
export const eraseTickets: Eraser<'SupportTickets'> = async ({ dynamo, tables }, { userId }) => {
  const table = tables.SupportTickets;
  for await (const row of queryEach<Key & { ticketId: string }>(dynamo, inPart(table, userPart(userId)))) {
    const { ticketId, part, name } = row;
    if (name !== countName) await eraseTicket(dynamo, table, { userId, ticketId });
    await erase(dynamo, [{ Delete: { TableName: table, Key: { part, name } } }]);
  }
};

/** The tickets of a patient's flags. */
export const eraseUrgentTickets: Eraser<'UrgentTickets'> = async ({ dynamo, tables }, { userId }) => {
  const table = tables.UrgentTickets;
  for await (const { ticketId, part, name } of queryEach<Key & { ticketId: string }>(
    dynamo,
    inPart(table, userPart(userId)),
  )) {
    await eraseUrgent(dynamo, table, { userId, ticketId });
    await erase(dynamo, [{ Delete: { TableName: table, Key: { part, name } } }]);
  }
};

type Named = { readonly userId: string; readonly ticketId: string };

/** The ticket first: a comment is written on the condition that it is there. */
async function eraseTicket(dynamo: DynamoDBDocumentClient, table: string, { userId, ticketId }: Named): Promise<void> {
  const isTheirs = await retryOnContention(async () => {
    const ticket = await readTicket(dynamo, table, ticketId);
    if (!ticket) return true;
    // A row under a user may name a ticket of another one.
    if (ticket.userId !== userId) return false;
    const own = userPart(ticket.userId);
    const lists = listKeys(ticket).filter(({ part }) => part !== own);
    const isErased = await commit(dynamo, [
      { Delete: { TableName: table, Key: { part: ticketPart(ticketId), name: 'ticket' }, ...stillIs(ticket) } },
      ...lists.map((Key) => ({ Delete: { TableName: table, Key } })),
    ]);
    return isErased || contended;
  });
  if (!isTheirs) return;
  const keys: Key[] = [];
  for await (const { part, name } of queryEach<Key>(dynamo, inPart(table, ticketPart(ticketId)))) {
    keys.push({ part, name });
  }
  for (let from = 0; from < keys.length; from += 100) {
    await erase(
      dynamo,
      keys.slice(from, from + 100).map((Key) => ({ Delete: { TableName: table, Key } })),
    );
  }
}

async function eraseUrgent(dynamo: DynamoDBDocumentClient, table: string, { userId, ticketId }: Named): Promise<void> {
  await retryOnContention(async () => {
    const ticket = await readUrgentTicket(dynamo, table, ticketId);
    return ticket?.userId !== userId || (await commit(dynamo, eraseUrgentItems(table, ticket))) || contended;
  });
}

async function erase(dynamo: DynamoDBDocumentClient, items: Items): Promise<void> {
  await retryOnContention(async () => ((await commit(dynamo, items)) ? null : contended));
}

function inPart(TableName: string, part: string) {
  return { TableName, KeyConditionExpression: 'part = :part', ExpressionAttributeValues: { ':part': part } };
}
