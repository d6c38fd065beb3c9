import type { Scenario } from '../../lib/explore/scenario.ts';
import { openFindings } from './scenarios.ts';

/** The rows of docs/reliability.md; `npm run explore -- --table` prints them. */
export function tableOf(scenarios: readonly Scenario[]): string[] {
  const inOrder = scenarios.toSorted((one, other) =>
    one.domain === other.domain ? (one.name < other.name ? -1 : 1) : one.domain < other.domain ? -1 : 1,
  );
  return inOrder.map(({ name, domain, says, invariants }) => {
    const open = openFindings[name];
    return `| ${domain} | \`${name}\` | ${says} | ${Object.keys(invariants).length} | ${open ? `open: ${open}` : 'holds'} |`;
  });
}
