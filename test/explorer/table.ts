import type { Scenario } from '../../lib/explore/scenario.ts';
import { type Explored, readNotes, readPlanted, readReddened, readUnfound, readWeakened } from './explored.ts';
import { openFindings } from './scenarios.ts';

/** The rows of docs/reliability.md. */
export function tableOf(scenarios: readonly Scenario[]): string[] {
  const inOrder = scenarios.toSorted((one, other) =>
    one.domain === other.domain ? (one.name < other.name ? -1 : 1) : one.domain < other.domain ? -1 : 1,
  );
  const notes = readNotes();
  const faults = Map.groupBy(Object.entries(readPlanted()), ([, found]) => found?.scenario ?? '');
  return inOrder.map(({ name, domain, says, invariants }) => {
    const { seeds, exhaustive } = notes[name] ?? {};
    const found = (faults.get(name) ?? []).map(([fault]) => fault.slice(0, 2)).join(' ');
    const open = Object.values(openFindings[name] ?? {}).join('; ');
    const cells = [
      domain,
      `\`${name}\``,
      says,
      Object.keys(invariants).length,
      seeds ? `${seeds.orders} of ${seeds.schedules}` : '–',
    ];
    return `| ${[...cells, boundsOf(exhaustive), found || '–', open ? `open: ${open}` : 'holds'].join(' | ')} |`;
  });
}

function boundsOf(explored: Explored | undefined): string {
  if (!explored) return '–';
  const { isComplete, states = 0, faults = 0 } = explored;
  return `${isComplete ? 'all' : 'not all'}: ${states} states, ${faults} faults`;
}

/** For the sentences about the planted faults. */
export function plantedFound(): { readonly found: number; readonly all: number; readonly open: readonly string[] } {
  const all = Object.entries(readPlanted());
  const open = all.filter(([, found]) => !found).map(([name]) => name.slice(0, 2));
  return { found: all.length - open.length, all: all.length, open };
}

/** The rows about promises that neither a planted fault nor a weakened condition has broken; a promise of several scenarios of a domain counts once. */
export function neverRed(scenarios: readonly Scenario[]): {
  readonly rows: readonly string[];
  readonly never: number;
  readonly all: number;
} {
  const red = new Set(Object.entries(readReddened()).flatMap(([name, promises]) => promises.map(idIn(name))));
  for (const found of Object.values({ ...readPlanted(), ...readWeakened() }))
    if (found && found !== 'unreached') red.add(idIn(found.scenario)(found.promise));
  const domains = Map.groupBy(
    scenarios.toSorted((one, other) => (one.domain < other.domain ? -1 : 1)),
    ({ domain }) => domain,
  );
  const all = [...domains].map(([domain, own]) => {
    const names = new Set(own.flatMap(({ invariants }) => Object.keys(invariants)));
    const isRed = (promise: string) => own.some(({ name }) => red.has(idIn(name)(promise)));
    return { domain, count: names.size, never: [...names].filter((name) => !isRed(name)).toSorted() };
  });
  return {
    rows: all.filter(({ never }) => never.length > 0).map(({ domain, never }) => `| ${domain} | ${never.join('; ')} |`),
    never: sum(all.map(({ never }) => never.length)),
    all: sum(all.map(({ count }) => count)),
  };
}

/** Of the weakened conditions of writes, by domain; and why nothing shows the others. */
export function conditionRows(): { readonly found: number; readonly rows: string[][]; readonly unfound: string[][] } {
  const all = Object.entries(readWeakened());
  const shown = (name: string) => {
    const [file = '', ...condition] = name.split(': ');
    return `\`${file}\`: \`${condition.join(': ').replaceAll('`', '')}\``;
  };
  const domains = Map.groupBy(all, ([name]) => /^functions\/([^/]+)/.exec(name)?.[1] ?? 'lib');
  const rows = [...domains].map(([domain, own]) => {
    const schedules = own.flatMap(([, found]) => (found && found !== 'unreached' ? [found.schedules] : []));
    const median = schedules.toSorted((one, other) => one - other)[Math.floor(schedules.length / 2)];
    return [domain, String(own.length), String(schedules.length), String(median ?? '–')];
  });
  const unfound = Object.entries(readUnfound()).map(([name, why]) => [shown(name), why]);
  return { found: all.length - unfound.length, rows, unfound };
}

const idIn = (scenario: string) => (promise: string) => `${scenario}: ${promise}`;
const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
