import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import type { DayFigures, Figures } from '../rules/report.ts';
import { type FigureRow, generationsKey, stretchFrom } from '../rules/statistics-keys.ts';
import { type Counts, countNames } from '../rules/tally.ts';
import type { ConsentStatistics } from '../tables.ts';
import { readGenerations } from './generations.ts';

/** Rebuilds that may end while figures are read; each takes minutes. */
const attempts = 3;

/**
 * An agreement's figures: the days from `from` on, and the totals.
 *
 * @throws a Failure `UNAVAILABLE` where one rebuild after the other ends meanwhile
 */
export async function readFigures(
  table: ConsentStatistics<'get' | 'query'>,
  agreementId: string,
  from: string,
): Promise<Figures> {
  let { current } = await readGenerations({ table, key: generationsKey });
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const figures = await readGeneration(table, current, [agreementId, from]);
    // A rebuild that ended in between removes the rows of the generation before: what was read of it may be half or none.
    const now = await readGenerations({ table, key: generationsKey });
    if (now.current === current) return figures;
    current = now.current;
  }
  throw new Failure(Unavailable);
}

async function readGeneration(
  table: ConsentStatistics<'query'>,
  generation: number,
  [agreementId, from]: [agreementId: string, from: string],
): Promise<Figures> {
  const [first, last] = stretchFrom(generation, from);
  const totals = new Map<string, Counts>();
  const days: DayFigures[] = [];
  const rows = await queryAll<FigureRow>(table, inPartition({ agreementId }, { statisticsKey: between(first, last) }));
  for (const row of rows) {
    const [, kind, dateOrVersion = '', versionId = ''] = row.statisticsKey.split('#');
    const counts = Object.fromEntries(countNames.map((name) => [name, Number(row[name] ?? 0)])) as Counts;
    if (kind === 'day') days.push({ date: dateOrVersion, versionId, counts });
    else totals.set(dateOrVersion, counts);
  }
  return { totals, days };
}
