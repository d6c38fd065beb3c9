import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { typed } from '../../typed.ts';
import { startLocal, temporaryFolder } from './local-process.ts';

const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  typed([command, ...args], { PATH: process.env.PATH, ...env });

describe('npm run invoke', () => {
  const event = (content: unknown) => {
    const file = join(temporaryFolder(), 'event.json');
    writeFileSync(file, JSON.stringify(content));
    return file;
  };

  test('prints the response, and the function’s log beside it', async () => {
    const file = 'test/events/list-agreements.json';
    const { code, out, err } = await run('invoke', ['list-agreements', '--event', file, '--application', 'sleepcare']);
    expect(code).toBe(0);
    const { statusCode, body } = JSON.parse(out);
    expect([statusCode, JSON.parse(body).items.length]).toEqual([200, 5]);
    expect(err).toMatch(/ 200 GET \/users\/agreements \d+ ms list-agreements sleepcare user /);
  });

  test('a function that fails is code 1', async () => {
    const { code, err } = await run('invoke', ['authorizer', '--event', event(null)]);
    expect([code, err]).toEqual([1, expect.stringContaining('Error')]);
  });

  test('an unknown operation lists those that exist', async () => {
    const { code, err } = await run('invoke', ['fly', '--event', event({})]);
    expect(code).toBe(1);
    expect(err).toContain('there is no operation fly');
    expect(err).toContain('  list-agreements --application medinfo\n');
  });

  test('an event that cannot be read is one line', async () => {
    expect(await run('invoke', ['agree', '--event', '/nowhere.json'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^ENOENT.*\n$/),
    });
  });
});

describe('npm run token', () => {
  test('asks the running stage', async () => {
    const stage = startLocal();
    await stage.printed('ready ');
    const PORT = new URL(stage.url()).port;
    const args = ['--user', 'u', '--roles', 'patient', '--application', 'sleepcare'];
    const { code, out } = await run('token', args, { PORT });
    expect([code, out]).toEqual([0, expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)]);
    const refused = await run('token', [...args, '--expiresIn', 'never'], { PORT });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('expiresIn must be a whole number')]);
  });

  test('says that none runs', async () => {
    const { code, err } = await run('token', ['--user', 'u'], { PORT: '1' });
    expect([code, err]).toEqual([
      1,
      'no local stage answers at http://127.0.0.1:1; start it (npm start) or set PORT\n',
    ]);
  });
});
