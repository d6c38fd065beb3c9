import { removeRow } from '../../../lib/runtime/rows.ts';
import { scanEach } from '../../../lib/runtime/scan-each.ts';
import type { Any } from '../../../lib/runtime/table-handle.ts';
import type { Entitlements } from '../../access-codes/tables.ts';
import type { UserDirectory } from '../../app-users/tables.ts';
import type { QuestionnaireResponses } from '../../questionnaire-responses/tables.ts';
import type { SleepEntries } from '../../sleep/tables.ts';
import { beginGeneration, finishGeneration } from '../../statistics/exports.ts';
import type { SupportTickets } from '../../support/tables.ts';
import { entitlements, questionnaires, type Source, sleepEntries, tickets, users } from '../rules/sources.ts';
import { generationsKey, type MovedTables } from '../stores/figure-rows.ts';
import type { OverviewEntries, OverviewFigures } from '../tables.ts';
import { countThing } from '../workflows/count-things.ts';

/** `npm run cli -- rebuild-overview`: counts everything again, into a new generation of figures. The old figures are still read in the meantime. */

type RemovedTables = {
  readonly OverviewFigures: OverviewFigures<'scan' | 'removeRow'>;
  readonly OverviewEntries: OverviewEntries<'scan' | 'removeRow'>;
};

export type Rebuild = {
  readonly tables: RemovedTables &
    MovedTables & {
      readonly OverviewFigures: OverviewFigures<'get' | 'putRow'>;
      readonly OverviewEntries: OverviewEntries<'get'>;
      readonly UserDirectory: UserDirectory<'get' | 'scan'>;
      readonly Entitlements: Entitlements<'get' | 'scan'>;
      readonly QuestionnaireResponses: QuestionnaireResponses<'get' | 'scan'>;
      readonly SleepEntries: SleepEntries<'get' | 'scan'>;
      readonly SupportTickets: SupportTickets<'get' | 'scan'>;
    };
  readonly progress: (line: string) => void;
};

/**
 * The users' lists are put in order before. Everything is counted into the next generation, as the
 * streams' consumers do from its beginning on: by the entries nothing counts twice. Then that generation is read, and the rows of the
 * earlier ones go, among them those of a rebuild that was interrupted.
 */
export async function rebuildOverview(rebuild: Rebuild): Promise<{ generation: number; counted: number }> {
  const { tables, progress } = rebuild;
  const generations = { table: tables.OverviewFigures, key: generationsKey };
  const generation = await beginGeneration(generations);
  progress(`counting into generation ${generation}`);
  let counted = 0;
  const sources: readonly (readonly [table: Any<'get' | 'scan'>, source: Source])[] = [
    [tables.UserDirectory, users],
    [tables.Entitlements, entitlements],
    [tables.QuestionnaireResponses, questionnaires],
    [tables.SleepEntries, sleepEntries],
    [tables.SupportTickets, tickets],
  ];
  for (const [of, source] of sources) {
    for await (const row of eachRow(of)) {
      const thing = source.thingOf(row);
      if (!thing) continue;
      await countThing({ tables, of, source }, generation, thing);
      counted += 1;
    }
    progress(`${source.name}: ${counted} counted so far`);
  }
  await finishGeneration(generations, generation);
  progress(`${await removeBefore(tables, generation)} rows of earlier generations removed`);
  return { generation, counted };
}

/** Keys are strings; all else is read where it is counted. */
async function* eachRow(table: Any<'scan'>): AsyncGenerator<Record<string, string>> {
  for await (const row of scanEach(table, { ConsistentRead: true })) {
    yield Object.fromEntries(
      Object.entries(row).filter((each): each is [string, string] => typeof each[1] === 'string'),
    );
  }
}

/** A row that a late consumer still writes there is read by nobody, and goes at the next rebuild. */
async function removeBefore(tables: RemovedTables, current: number): Promise<number> {
  const isOld = (generation = '') => Number(generation) < current;
  let removed = 0;
  for await (const { generation = '', figure = '' } of eachRow(tables.OverviewFigures)) {
    if (generation === 'generations' || !isOld(generation)) continue;
    await removeRow(tables.OverviewFigures, { generation, figure });
    removed += 1;
  }
  for await (const { userId = '', entry = '' } of eachRow(tables.OverviewEntries)) {
    if (!isOld(entry.split('#')[0])) continue;
    await removeRow(tables.OverviewEntries, { userId, entry });
    removed += 1;
  }
  return removed;
}
