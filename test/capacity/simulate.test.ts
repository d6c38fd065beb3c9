import { describe, expect, test } from 'vitest';
import { type Deployed, simulate } from '../../bin/capacity/simulate.ts';
import { usualTraffic } from '../../bin/capacity/traffic.ts';

const deployed: Deployed = { routeMemory: 1, stageRate: 1000, senders: 10 };
const of = (users: number) => simulate({ ...usualTraffic, users }, deployed);

describe('the simulation', () => {
  test('requests, units and concurrency grow with the users, and nothing else', () => {
    const [few, many] = [of(100_000), of(1_000_000)];
    for (const name of ['requestsMonthly', 'requestsPeak', 'readPeak', 'writePeak'] as const) {
      expect(many[name]).toBeCloseTo(10 * few[name]);
    }
  });

  test('names the nearest limit first, and it is the one that the fewest users meet', () => {
    const { limits } = of(10_000_000);
    const usage = limits.map(({ demand, limit }) => demand / limit);
    expect(usage).toEqual(usage.toSorted((one, other) => other - one));
    expect(usage[0]).toBeGreaterThan(1);
    for (const { remedy, source } of limits) expect([remedy, source]).not.toContain('');
  });

  test('a limit of the template moves with the template', () => {
    const share = (stageRate: number) => {
      const found = simulate({ ...usualTraffic, users: 1e6 }, { ...deployed, stageRate }).limits;
      return found.find(({ source, unit }) => source === 'the template' && unit === 'requests/s');
    };
    expect(share(1000)?.limit).toBe(1000);
    expect(share(5000)?.limit).toBe(5000);
  });

  test('a million lists cost what they cost on paper: about five dollars without the users’ sign-in', () => {
    const { costs, requestsMonthly } = of(9000);
    const perMillion = (name: string) => ((costs.find((each) => each.name === name)?.usd ?? 0) / requestsMonthly) * 1e6;
    expect(perMillion('API Gateway')).toBeCloseTo(3.5);
    expect(perMillion('WAF')).toBeCloseTo(0.6);
    expect(costs.find(({ name }) => name === 'Cognito')?.usd).toBe(0);
  });
});
