import { describe, expect, test } from 'vitest';
import { cases } from './cases/cases.ts';
import { expectForm } from './form.ts';
import { exchange, type RawAnswer } from './raw-socket.ts';
import { buildWorld } from './world.ts';

/** Every hostile request is answered, in the form of every error, and hurts nobody else. */

const world = await buildWorld();

describe.each(Object.entries(cases))('%s', (_kind, those) => {
  test.each(those)('$status $code: $name', async ({ bytes, status, code, answers = 1, isFront = false }) => {
    const received = await exchange(world.origin, typeof bytes === 'function' ? bytes(world) : bytes, { answers });
    expect(received).toHaveLength(answers);
    const [answer] = received as [RawAnswer];
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    expectForm(answer, isFront);
    expect(await health()).toBe(200);
  });
});

test('there are cases enough, each with a name of its own', () => {
  const names = Object.values(cases).flatMap((those) => those.map(({ name }) => name));
  expect(names.length).toBeGreaterThanOrEqual(170);
  expect(new Set(names).size).toBe(names.length);
});

test('nothing of all that was taken over', async () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  const { body } = await get('/de/v1/users/me/devices', world.other);
  expect(JSON.parse(body).items).toMatchObject([{ deviceId: 'others-phone', status: 'active', platform: 'android' }]);
  const board = JSON.parse((await get('/de/v1/agent-board/messages', world.other)).body);
  expect(board.metadata).toMatchObject({ count: 2, unreadCount: 2 });
});

function codeOf({ status, body }: RawAnswer): unknown {
  return status < 400 ? null : JSON.parse(body).code;
}

async function get(path: string, token?: string): Promise<RawAnswer> {
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
  const bytes = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${authorization}\r\n`;
  const [answer] = await exchange(world.origin, bytes);
  if (!answer) throw new Error(`${path} was not answered`);
  return answer;
}

async function health(): Promise<number> {
  return (await get('/de/v1/health')).status;
}
