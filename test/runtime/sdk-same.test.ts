import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleOptions } from '../../lib/bundle/options.ts';

import { type FaultName, faults, type Seen, startFaultyServer } from './faulty-server.ts';

const run = promisify(execFile);

/** What each comes to, and after how many requests: two of the same outcome could be the same mistake. */
const expected: Record<FaultName, [outcome: string, requests: number]> = {
  none: ['answered', 1],
  condition: ['ConditionalCheckFailedException', 1],
  canceled: ['TransactionCanceledException', 1],
  throttledOnce: ['answered', 2],
  throttled: ['ThrottlingException', 2],
  busyOnce: ['answered', 2],
  broken: ['InternalServerError', 2],
  page: ['SyntaxError', 2],
  unknown: ['InventedYesterdayException', 1],
  denied: ['AccessDeniedException', 1],
  expired: ['ExpiredTokenException', 1],
  skewed: ['answered', 2],
  malformed: ['SyntaxError', 1],
  empty: ['Unknown', 1],
  reset: ['TimeoutError', 2],
  resetOnce: ['answered', 2],
  silent: ['TimeoutError', 2],
  cut: ['Error', 2],
  published: ['answered', 1],
  disabled: ['EndpointDisabledException', 1],
  snsThrottled: ['ThrottledException', 2],
  snsUnknown: ['InventedYesterday', 1],
  sent: ['answered', 1],
  noQueue: ['QueueDoesNotExist', 1],
  refused: ['NotAuthorizedException', 1],
  signedIn: ['answered', 1],
  signed: ['answered', 1],
  keyDisabled: ['DisabledException', 1],
  eventsPut: ['answered', 1],
  object: ['answered', 1],
  noObject: ['NoSuchKey', 1],
  stored: ['answered', 1],
};

type Outcomes = { outcomes: Record<string, unknown>; addresses: Record<string, unknown> };

/** The SDK as the functions are bundled does what the whole SDK does, whatever comes back. */
describe('the SDK in the bundles', () => {
  const whole = { is: {} as Outcomes, saw: {} as Record<string, Seen[]> };
  const trimmed = { is: {} as Outcomes, saw: {} as Record<string, Seen[]> };
  let server: Awaited<ReturnType<typeof startFaultyServer>>;

  beforeAll(async () => {
    server = await startFaultyServer();
    const entries = [{ name: 'calls', file: 'test/runtime/sdk-calls.ts' }];
    await Promise.all(
      Object.entries({ whole, trimmed }).map(async ([who, into]) => {
        const { plugins, ...options } = bundleOptions(entries);
        const outdir = mkdtempSync(join(tmpdir(), 'mobile-health-sdk-'));
        const chosen = who === 'whole' ? plugins.filter(({ name }) => name === 'function-modules') : [...plugins];
        await build({ ...options, outdir, plugins: chosen });
        const { stdout } = await run(process.execPath, [join(outdir, 'calls/index.mjs')], {
          env: { ...variables, SERVER: server.url, WHO: who },
        });
        into.is = JSON.parse(stdout);
        into.saw = server.seen(who);
      }),
    );
  });

  afterAll(() => server.close());

  describe('gives the same answers as the unchanged SDK if the service', () => {
    test.each(Object.keys(faults))('%s', (fault) => {
      expect(whole.is.outcomes[fault]).toBeDefined();
      expect(trimmed.is.outcomes[fault]).toEqual(whole.is.outcomes[fault]);
    });
  });

  describe('sends the same requests, the same number of times, if the service', () => {
    test.each(Object.keys(faults))('%s', (fault) => {
      expect(whole.saw[fault]?.length).toBeGreaterThan(0);
      expect(trimmed.saw[fault]).toEqual(whole.saw[fault]);
    });
  });

  test('finds its region, endpoint, credentials and limits in the same places as the unchanged SDK', () => {
    expect(Object.keys(whole.is.addresses).length).toBeGreaterThan(10);
    expect(trimmed.is.addresses).toEqual(whole.is.addresses);
  });

  test.each(Object.entries(expected))(
    'comes to what it is to come to where the service: %s',
    (fault, [name, tries]) => {
      const { name: came = 'answered' } = trimmed.is.outcomes[fault] as { name?: string };
      expect([came, trimmed.saw[fault]?.length]).toEqual([name, tries]);
    },
  );
});

const variables = {
  HOME: '/nowhere',
  PATH: '/usr/bin:/bin',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'session',
  AWS_EC2_METADATA_DISABLED: 'true',
};
