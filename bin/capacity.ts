import { parseArgs } from 'node:util';
import { environments } from '../functions/product.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import { readStageModel } from '../lib/local/index.ts';
import { prices } from './capacity/prices.ts';
import { type Deployed, simulate } from './capacity/simulate.ts';
import { type Traffic, usualTraffic } from './capacity/traffic.ts';
import { synthesize } from './stage.ts';

/**
 * `npm run capacity -- --users 10000000 [--stage prod] [--startsPerDay 3 …]`: computes what a given traffic needs, what it costs in a
 * month, and which limit it reaches first. Nothing is called: the units were measured on the local stage, the prices are data with a
 * date, and the durations are assumptions (bin/capacity/simulate.ts).
 */

const names = Object.keys(usualTraffic) as (keyof Traffic)[];

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string', default: 'prod' },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
    },
  });
  const given = values as Record<string, string | undefined>;
  const stated = names.map((name) => [name, numberOf(name, given[name])]);
  const traffic = Object.fromEntries(stated) as unknown as Traffic;
  const environment = environmentNamed(environments, given.stage);
  print(traffic, simulate(traffic, await deployedIn(environment)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function numberOf(name: keyof Traffic, written: string | undefined): number {
  if (written === undefined) return usualTraffic[name];
  const number = Number(written);
  if (!(number > 0 && Number.isFinite(number))) throw new Error(`--${name} must be a number above 0`);
  return number;
}

async function deployedIn(environment: string): Promise<Deployed> {
  const files = await synthesize(environment);
  const { functions, apis, eventSources } = readStageModel(files);
  const list = functions.find(({ operation }) => operation === 'list-agreements');
  const sender = functions.find(({ operation }) => operation === 'send-push');
  const source = eventSources.find((each) => each.kind === 'queue' && each.functionArn === sender?.arn);
  const api = apis.find(({ throttle }) => throttle);
  if (!list || source?.kind !== 'queue' || !api?.throttle) throw new Error('the template is not as expected');
  return {
    routeMemory: list.memoryMb / 1024,
    stageRate: api.throttle.ratePerSecond,
    senders: source.concurrency,
  };
}

function print(traffic: Traffic, found: ReturnType<typeof simulate>): void {
  const figure = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });
  const rows = (...lines: [string, string][]) =>
    lines.map(([name, value]) => `  ${name.padEnd(34)} ${value}`).join('\n');
  const total = found.costs.reduce((all, { usd }) => all + usd, 0);
  const [first] = found.limits;
  console.log(
    [
      `Traffic: ${names.map((name) => `${name} ${figure(traffic[name])}`).join(', ')}`,
      '',
      rows(
        ['requests a month', figure(found.requestsMonthly)],
        ['requests/s in the busiest hour', figure(found.requestsPeak)],
        ['read units/s', figure(found.readPeak)],
        ['write units/s', figure(found.writePeak)],
        ['Lambda environments at a time', figure(found.concurrencyPeak)],
      ),
      '',
      `USD a month (${prices.region}, list prices as of ${prices.asOf}): ${figure(total)}`,
      rows(...found.costs.map(({ name, usd }): [string, string] => [name, figure(usd)])),
      '',
      'Limits, the one that is reached first at the top:',
      ...found.limits.map(
        ({ name, demand, limit, unit, remedy }) =>
          `  ${`${Math.round((demand / limit) * 100)} %`.padStart(6)}  ${name}: ${figure(demand)} of ${figure(limit)} ${unit}\n${' '.repeat(10)}then: ${remedy}`,
      ),
      '',
      first && first.demand > first.limit
        ? `First limit reached: ${first.name}, at about ${figure((traffic.users * first.limit) / first.demand)} users.`
        : `No limit is reached; the first would be ${first?.name}, at about ${figure((traffic.users * (first?.limit ?? 0)) / (first?.demand ?? 1))} users.`,
    ].join('\n'),
  );
}
