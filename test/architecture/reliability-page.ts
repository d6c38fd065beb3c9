import { table, withPart } from '../../bin/markdown.ts';
import { acknowledgements } from '../../lib/stack/acknowledgements.ts';
import { wildcards } from '../../lib/stack/wildcards.ts';
import { scenarios } from '../explorer/scenarios.ts';
import { conditionRows, neverRed, plantedFound, tableOf } from '../explorer/table.ts';
import { countCases, eventCases, pushCases } from '../faults/deliveries.ts';
import { functionCases } from '../faults/functions.ts';
import { keyCases } from '../faults/keys.ts';
import { matrix } from '../faults/matrix.ts';
import { cases } from '../hostile/cases/cases.ts';

/** What `npm run generate` writes into docs/reliability.md: the tests' own lists say it. */

const figures: readonly (readonly [what: string, figure: number, where: string])[] = [
  [
    'reasons for which a finding of the rule packs (AwsSolutions, HIPAA Security) is accepted',
    Object.keys({ ...acknowledgements, ...wildcards }).length,
    '`lib/stack/acknowledgements.ts`, `lib/stack/wildcards.ts`',
  ],
  ['hostile requests over raw sockets', Object.values(cases).flat().length, '`test/hostile/cases`'],
  ['faults of a dependency, each on one route', matrix.length, '`test/faults/matrix.ts`'],
  ["faults of the user pools' keys", keyCases.length, '`test/faults/keys.ts`'],
  ['faults of a function', functionCases.length, '`test/faults/functions.ts`'],
  ['faults behind the answer: pushes', pushCases.length, '`test/faults/deliveries.ts`'],
  ['faults behind the answer: events of consents', eventCases.length, '`test/faults/deliveries.ts`'],
  ['faults behind the answer: counts of tickets', countCases.length, '`test/faults/deliveries.ts`'],
];

export function withReliability(current: string): string | null {
  const parts = {
    figures: table(
      ['what', 'figure', 'where'],
      figures.map(([what, figure, where]) => [what, String(figure), where]),
    ),
    races: races(),
    conditions: conditions(),
  };
  return Object.entries(parts).reduce<string | null>(
    (page, [name, content]) => page && withPart(page, name, content),
    current,
  );
}

function races(): string {
  const { found, all, open } = plantedFound();
  const head = ['domain', 'scenario', 'what happens at the same time', 'promises'];
  const noted = ['orders of schedules', 'every order', 'planted faults', 'today'];
  return [
    `Of the ${all} planted faults ${found} are found. Not found: ${open.join(', ') || 'none'}.`,
    [table([...head, ...noted], []), ...tableOf(scenarios)].join('\n'),
  ].join('\n\n');
}

function conditions(): string {
  const { found, rows, unfound } = conditionRows();
  const { never, all } = neverRed(scenarios);
  return [
    `${found} of ${found + unfound.length} conditions are found. ${never} of the ${all} promises were never broken by a planted fault or a weakened condition.`,
    table(['domain', 'conditions', 'found', 'schedules (median)'], rows),
    table(['condition that nothing shows', 'why'], unfound),
  ].join('\n\n');
}

/** The content of test/explorer/unbroken.md. */
export function unbrokenPage(): string {
  const head =
    '# Promises that nothing has broken\n\nBy domain; made by `npm run generate`. docs/reliability.md says what this means.';
  return `${head}\n\n${[table(['domain', 'promises'], []), ...neverRed(scenarios).rows].join('\n')}\n`;
}
