import { describe, expect, test } from 'vitest';
import { ConsentRecords } from '../../functions/consents/tables.ts';
import { Clock } from '../../functions/time-machine/tables.ts';
import { consumer, intervalOf } from '../../lib/contract/consumer.ts';
import { eventBus, read, usesIn } from '../../lib/contract/uses.ts';

const common = { summary: 's', application: 'sleepcare', uses: [], impact: 'i' } as const;

describe('a schedule', () => {
  test.each([
    ['rate(1 minute)', 60],
    ['rate(5 minutes)', 300],
    ['rate(1 hour)', 3600],
    ['rate(2 hours)', 7200],
    ['rate(1 day)', 86_400],
  ] as const)('%s comes every %i seconds', (schedule, seconds) => {
    expect(intervalOf(consumer({ ...common, schedule }))).toBe(seconds);
  });

  test.each(['rate(1 hours)', 'rate(5 minute)', 'rate(0 days)'] as const)('%s is none', (schedule) => {
    expect(() => consumer({ ...common, schedule })).toThrow('rate(1 hour)');
  });
});

describe('a stream', () => {
  const stream = { ...common, stream: ConsentRecords, batchSize: 1, windowSeconds: 0, maxAgeSeconds: 60 } as const;

  test.each([-1, 0, 10_000])('is tried again %i times', (retries) => {
    expect(consumer({ ...stream, retries }).retries).toBe(retries);
  });

  test.each([-2, 10_001, Number.NaN])('is not tried again %d times', (retries) => {
    expect(() => consumer({ ...stream, retries })).toThrow('retries are');
  });

  test.each([59, 86_400, Number.NaN])('does not keep a change for %d s', (maxAgeSeconds) => {
    expect(() => consumer({ ...stream, maxAgeSeconds, retries: 0 })).toThrow('60 to 82800 seconds');
  });

  test('is of a table that has one', () => {
    expect(() => consumer({ ...stream, stream: Clock, retries: 0 })).toThrow('table Clock has no stream');
  });
});

test('the uses of a consumer do not have tables that an environment lacks', () => {
  const uses = [read(Clock), read(ConsentRecords), eventBus('publish')];
  expect(usesIn(uses, 'dev')).toEqual(uses);
  expect(usesIn(uses, 'prod')).toEqual(uses.slice(1));
});
