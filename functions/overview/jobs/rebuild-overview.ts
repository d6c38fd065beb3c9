import { DeleteCommand, type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { entitlements, questionnaires, type Source, sleepEntries, tickets, users } from '../rules/sources.ts';
import { moveGenerations, type OverviewTables, readGenerations } from '../stores/figure-rows.ts';
import { countThing } from '../workflows/count-things.ts';

/** `npm run cli -- rebuild-overview`: counts everything again, into a new generation of figures. The old figures are still read in the meantime. */

export type Rebuild = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: OverviewTables & {
    readonly UserDirectory: string;
    readonly Entitlements: string;
    readonly QuestionnaireResponses: string;
    readonly SleepEntries: string;
    readonly SupportTickets: string;
  };
  readonly progress: (line: string) => void;
};

/**
 * The users' lists are put in order before. Everything is counted into the next generation, as the
 * streams' consumers do from its beginning on: by the entries nothing counts twice. Then that generation is read, and the rows of the
 * earlier ones go. Done again after an interruption it goes on with the same generation.
 */
export async function rebuildOverview(rebuild: Rebuild): Promise<{ generation: number; counted: number }> {
  const { client, tables, progress } = rebuild;
  const generation = await begin(client, tables.OverviewFigures);
  progress(`counting into generation ${generation}`);
  let counted = 0;
  const sources: readonly (readonly [table: string, source: Source])[] = [
    [tables.UserDirectory, users],
    [tables.Entitlements, entitlements],
    [tables.QuestionnaireResponses, questionnaires],
    [tables.SleepEntries, sleepEntries],
    [tables.SupportTickets, tickets],
  ];
  for (const [of, source] of sources) {
    for await (const row of eachRow(client, of)) {
      const thing = source.thingOf(row);
      if (!thing) continue;
      await countThing({ client, tables, of, source }, generation, thing);
      counted += 1;
    }
    progress(`${source.name}: ${counted} counted so far`);
  }
  const from = await readGenerations(client, tables.OverviewFigures);
  if (from.counting === generation) {
    await moveGenerations(client, tables.OverviewFigures, from, { current: generation, counting: null });
  }
  progress(`${await removeBefore(client, tables, generation)} rows of earlier generations removed`);
  return { generation, counted };
}

/** @returns the generation to count into; of an interrupted rebuild, that one's */
async function begin(client: DynamoDBDocumentClient, table: string): Promise<number> {
  const now = await readGenerations(client, table);
  if (now.counting !== null) return now.counting;
  await moveGenerations(client, table, now, { ...now, counting: now.current + 1 });
  return begin(client, table);
}

/** Keys are strings; all else is read where it is counted. */
async function* eachRow(client: DynamoDBDocumentClient, TableName: string): AsyncGenerator<Record<string, string>> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const item of Items) {
      yield Object.fromEntries(
        Object.entries(item).filter((each): each is [string, string] => typeof each[1] === 'string'),
      );
    }
  }
}

/** A row that a late consumer still writes there is read by nobody, and goes at the next rebuild. */
async function removeBefore(client: DynamoDBDocumentClient, tables: OverviewTables, current: number): Promise<number> {
  const isOld = (generation = '') => Number(generation) < current;
  let removed = 0;
  for await (const { generation = '', figure = '' } of eachRow(client, tables.OverviewFigures)) {
    if (generation === 'generations' || !isOld(generation)) continue;
    await client.send(new DeleteCommand({ TableName: tables.OverviewFigures, Key: { generation, figure } }));
    removed += 1;
  }
  for await (const { userId = '', entry = '' } of eachRow(client, tables.OverviewEntries)) {
    if (!isOld(entry.split('#')[0])) continue;
    await client.send(new DeleteCommand({ TableName: tables.OverviewEntries, Key: { userId, entry } }));
    removed += 1;
  }
  return removed;
}
