import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { readCatalogue } from '../../agreements/exports.ts';
import type { Agreements } from '../../agreements/tables.ts';
import { readFigures as readConsentFigures, readGenerations } from '../../statistics/exports.ts';
import type { ConsentStatistics } from '../../statistics/tables.ts';
import { states as ticketStates } from '../../support/rules.ts';
import { activeOn, lastWeeks, userStatuses } from '../rules/sources.ts';
import { generationsKey, readFigures } from '../stores/figure-rows.ts';
import type { OverviewFigures } from '../tables.ts';

type FigureSourceTables = {
  readonly OverviewFigures: OverviewFigures<'get' | 'query'>;
  readonly ConsentStatistics: ConsentStatistics<'get' | 'query'>;
  readonly Agreements: Agreements<'query'>;
};

const weeksShown = 12;

/** Rebuilds that may end while figures are read; each takes minutes. */
const attempts = 3;

/** After every day that there is: of the statistics only the totals are asked. */
const noDay = '9999-12-31';

/** @throws a Failure `UNAVAILABLE` where one rebuild after the other ends meanwhile */
export async function overviewOf(tables: FigureSourceTables, now: Date) {
  const consents = readConsents(tables);
  // Met below, also where the figures fail first.
  consents.catch(() => undefined);
  const generations = { table: tables.OverviewFigures, key: generationsKey };
  let { current } = await readGenerations(generations);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const counted = await readCounts(tables.OverviewFigures, current, now);
    // What a rebuild that ended meanwhile has removed may be half of it.
    const after = await readGenerations(generations);
    if (after.current === current) return { at: now.toISOString(), ...counted, consents: await consents };
    current = after.current;
  }
  throw new Failure(Unavailable);
}

async function readCounts(table: OverviewFigures<'query'>, generation: number, now: Date) {
  const weeks = lastWeeks(now, weeksShown);
  const [since = ''] = weeks;
  const read = (prefix: string, from = '') => readFigures(table, generation, prefix, from);
  const [byStatus, byWeek, periods, due, done, entries, byState] = await Promise.all([
    read('users#status#'),
    read('users#week#', since),
    read('entitlements#'),
    read('questionnaires#due#', since),
    read('questionnaires#done#', since),
    read('sleep#week#', since),
    read('tickets#state#'),
  ]);
  return {
    users: {
      byStatus: userStatuses.map((status) => ({ status, count: byStatus.get(`users#status#${status}`) ?? 0 })),
      byWeek: weeks.map((week) => ({ week, count: byWeek.get(`users#week#${week}`) ?? 0 })),
    },
    entitlements: { active: activeOn(now.toISOString().slice(0, 10), periods) },
    questionnaires: weeks.map((week) => ({
      week,
      due: due.get(`questionnaires#due#${week}`) ?? 0,
      done: done.get(`questionnaires#done#${week}`) ?? 0,
    })),
    sleepEntries: weeks.map((week) => ({ week, count: entries.get(`sleep#week#${week}`) ?? 0 })),
    tickets: ticketStates.map((state) => ({ state, count: byState.get(`tickets#state#${state}`) ?? 0 })),
  };
}

async function readConsents(tables: FigureSourceTables) {
  const catalogue = await readCatalogue(tables.Agreements, 'sleepcare');
  const counted = await mapWithConcurrency(catalogue, 10, async ({ agreement: { agreementId } }) => {
    const { totals } = await readConsentFigures(tables.ConsentStatistics, agreementId, noDay);
    let agreeing = 0;
    for (const { agreements, revocations, replaced } of totals.values())
      agreeing += agreements - revocations - replaced;
    return { agreementId, agreeing };
  });
  return counted.toSorted((one, other) => (one.agreementId < other.agreementId ? -1 : 1));
}
