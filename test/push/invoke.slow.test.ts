import { describe, expect, test } from 'vitest';
import { typed } from '../typed.ts';

/** `npm run invoke -- send-test-push`, as the README has it, in a clone without any device of one's own. */

const run = (...args: string[]) => typed(['invoke', ...args], { PATH: process.env.PATH });

const event = 'test/events/badge-sync.json';

test('--dry-run prints the exact request for each of the seeded phones', async () => {
  const { code, out } = await run('send-test-push', '--event', event, '--dry-run');
  expect(code).toBe(0);
  const { messageType, deliveries } = JSON.parse(out);
  expect(messageType).toBe('badge_sync');
  expect(deliveries).toMatchObject([
    { deviceId: 'patient-android', status: 'preview', request: { MessageStructure: 'json' } },
    { deviceId: 'patient-iphone', status: 'preview', request: { MessageStructure: 'json' } },
  ]);
  expect(JSON.parse(deliveries[1].request.Message)).toEqual({
    APNS: '{"aps":{"content-available":1},"data":{"type":"badge_sync","badge":"3"}}',
  });
});

describe('without --dry-run', () => {
  test.each(['badge-sync', 'agent-board'])('%s.json is sent to them', async (name) => {
    const { code, out } = await run('send-test-push', '--event', `test/events/${name}.json`);
    expect(code).toBe(0);
    const { statusCode, body } = JSON.parse(out);
    const { deliveries } = JSON.parse(body);
    expect([statusCode, deliveries.map(({ status }: { status: string }) => status)]).toEqual([200, ['sent', 'sent']]);
  });
});

test('--dry-run is refused where an operation would act all the same', async () => {
  const answer = await run('agree', '--event', 'test/events/agree.json', '--dry-run');
  expect(answer).toMatchObject({ code: 1, err: '--dry-run is only for send-test-push\n' });
});
