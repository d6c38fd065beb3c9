import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendBusEvents } from '../../../lib/local/event-bus/events-route.ts';
import { type InvokeResult, invokeFailure } from '../../../lib/local/functions/result.ts';
import { answerSchedule } from '../../../lib/local/schedules/schedule-route.ts';

/** What a developer asks of `/_local`. */

const event = {
  version: '0',
  id: 'e',
  source: 's',
  account: '0',
  time: '2026-01-01T00:00:00Z',
  region: 'r',
  resources: [],
  detail: {},
} as const;
const events = ['A', 'B', 'A'].map((detailType) => ({
  bus: 'consents',
  event: { ...event, 'detail-type': detailType },
}));
const ok: InvokeResult = { ok: true, payload: { swept: 3 }, initMs: null, durationMs: 1 };

const failed = invokeFailure('error', 'Error', 'no luck');

async function served() {
  const ran: string[] = [];
  const run = async (operation: string) => {
    if (operation === 'nothing') throw new Error('the template has no schedule of nothing');
    ran.push(operation);
    return [{ rule: 'r', result: ok }, ...(operation === 'fails' ? [{ rule: 's', result: failed }] : [])];
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'GET') sendBusEvents(response, events, url.searchParams);
    else void answerSchedule(request, response, url.pathname.slice(1), { run, bound: '127.0.0.1' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (operation: string, headers: Record<string, string> = {}) =>
    fetch(`${base}/${operation}`, { method: 'POST', headers: { connection: 'close', ...headers } });
  const get = async (query: string) => (await fetch(`${base}/${query}`)).json();
  return { base, ran, post, get };
}

test('the events of all types, or of one', async () => {
  const { get } = await served();
  expect(await get('')).toEqual({ items: events, metadata: { count: 3 } });
  expect(await get('?detailType=B')).toEqual({ items: [events[1]], metadata: { count: 1 } });
});

describe('a schedule', () => {
  test.each([
    ['sweep', 200, { items: [{ rule: 'r', result: ok }], metadata: { count: 1 } }],
    ['fails', 500, { items: [{ rule: 'r' }, { rule: 's', result: { errorMessage: 'no luck' } }] }],
    ['nothing', 404, { message: 'the template has no schedule of nothing' }],
  ])('%s: %i', async (operation, status, body) => {
    const { post } = await served();
    const answer = await post(operation);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject(body);
  });

  test('403: is not run by a foreign page, and is by the stage’s own', async () => {
    const { post, base, ran } = await served();
    for (const origin of ['https://evil.example', 'null']) expect((await post('sweep', { origin })).status).toBe(403);
    expect(ran).toEqual([]);
    expect((await post('sweep', { origin: base })).status).toBe(200);
  });
});
