import { readStageModel } from '../lib/local/index.ts';
import { prices } from './capacity/prices.ts';
import { type Deployed, simulate } from './capacity/simulate.ts';
import type { Traffic } from './capacity/traffic.ts';
import { synthesize } from './stage.ts';

/** Nothing is called: the units were measured on the local stage, the prices are data with a date, and the durations are assumptions (bin/capacity/simulate.ts). */

export async function run({ stage, ...traffic }: Traffic & { readonly stage: string }): Promise<void> {
  print(traffic, simulate(traffic, await deployedIn(stage)));
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
      `Traffic: ${Object.entries(traffic)
        .map(([name, value]) => `${name} ${figure(value)}`)
        .join(', ')}`,
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
