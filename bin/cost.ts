import { readFileSync, writeFileSync } from 'node:fs';
import { consumers } from '../functions/domains.ts';
import { environments } from '../functions/product.ts';
import { intervalOf } from '../lib/contract/consumer.ts';
import { resourcesIn } from '../lib/local/index.ts';
import { billed, idleOf, type Line, type Resource } from './capacity/idle.ts';
import { prices } from './capacity/prices.ts';
import { table, withPart } from './markdown.ts';
import { synthesize } from './stage.ts';

/** What environments cost without a request, from their templates. */

export async function run({ stage, page }: { readonly stage?: string; readonly page: boolean }): Promise<void> {
  const wanted = stage === undefined || page ? environments : [stage];
  const idle = new Map<string, Line[]>();
  for (const name of wanted) idle.set(name, costOf(billedIn((await synthesize(name)).directory)));
  const shown = costTable(idle);
  console.log(
    `${shown}\n\nUSD a month (${prices.region}, list prices as of ${prices.asOf}). npm run cli -- capacity has what requests cost.`,
  );
  if (!page) return;
  const file = new URL('../docs/deploying.md', import.meta.url);
  const text = withPart(readFileSync(file, 'utf8'), 'cost', shown);
  if (text) writeFileSync(file, text);
}

function billedIn(directory: string): Resource[] {
  return billed.flatMap((type) => resourcesIn(directory, type).map(({ properties }) => ({ type, properties })));
}

export function costOf(resources: readonly Resource[]): Line[] {
  const scheduled = consumers.flatMap(({ consumer }) =>
    consumer.schedule && consumer.alarm ? [[consumer.alarm.metric, intervalOf(consumer)] as const] : [],
  );
  return idleOf(resources, new Map(scheduled));
}

/** @param idle by the environment */
export function costTable(idle: ReadonlyMap<string, readonly Line[]>): string {
  const usd = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + line.usd, 0).toFixed(2);
  const [first = []] = idle.values();
  const sums: [string, (line: Line) => boolean][] = [
    ['keys, firewall and secrets', ({ isFloor }) => isFloor],
    ['all else', ({ isFloor }) => !isFloor],
    ['in all', () => true],
  ];
  return table(
    ['', ...[...idle.keys()].map((name) => `\`${name}\``)],
    [
      ...first.map(({ name }, index) => [
        name,
        ...[...idle.values()].map((lines) => {
          const { count, usd } = lines[index] as Line;
          return `${Math.round(count * 10) / 10}: ${usd.toFixed(2)}`;
        }),
      ]),
      ...sums.map(([name, isOne]) => [`**${name}**`, ...[...idle.values()].map((lines) => usd(lines.filter(isOne)))]),
    ],
  );
}
