import { beforeAll, describe, expect, test } from 'vitest';
import type { Bytes } from './case.ts';
import { cases } from './cases/cases.ts';
import { expectForm } from './form.ts';
import { exchange, NoAnswer, type RawAnswer } from './raw-socket.ts';
import { buildWorld, type World } from './world.ts';

/** Every hostile request is answered within a second, in the form of the contract, and hurts nobody else. */

let world: World;
beforeAll(async () => {
  world = await buildWorld();
});

describe.each(Object.entries(cases))('%s', (_kind, those) => {
  test.each(those)(
    '$status $code: $name',
    async ({ bytes, status, code, answers = 1, isFront = false, within = 1000 }) => {
      const received = await answersTo(typeof bytes === 'function' ? bytes(world) : bytes, within);
      expect(received).toHaveLength(answers);
      const [answer] = received as [RawAnswer];
      expect([answer.status, codeOf(answer)]).toEqual([status, code]);
      expectForm(answer, isFront);
      expect(await health()).toBe(200);
    },
  );
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

/** Late once is a busy machine; late each time is a hang. */
async function answersTo(bytes: Bytes, within: number, attempt = 1): Promise<RawAnswer[]> {
  try {
    return await exchange(world.origin, bytes, within);
  } catch (error) {
    if (!(error instanceof NoAnswer) || attempt === 3) throw error;
    return answersTo(bytes, within, attempt + 1);
  }
}

function codeOf({ status, body }: RawAnswer): unknown {
  return status < 400 ? null : JSON.parse(body).code;
}

async function get(path: string, token?: string): Promise<RawAnswer> {
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
  const bytes = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${authorization}\r\n`;
  const [answer] = await answersTo(bytes, 1000);
  if (!answer) throw new Error(`${path} was not answered`);
  return answer;
}

async function health(): Promise<number> {
  return (await get('/de/v1/health')).status;
}
