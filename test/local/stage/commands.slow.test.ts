import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { projectDir, startLocal, temporaryFolder } from './local-process.ts';

async function run(command: string, args: string[], env: Record<string, string> = {}) {
  const options = { cwd: projectDir, env: { PATH: process.env.PATH, ...env } };
  return promisify(execFile)(process.execPath, [`bin/${command}.ts`, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe('npm run invoke', () => {
  const event = (content: unknown) => {
    const file = join(temporaryFolder(), 'event.json');
    writeFileSync(file, JSON.stringify(content));
    return file;
  };

  test('prints the response, and the function’s log beside it', async () => {
    const file = 'test/events/list-agreements.json';
    const { code, stdout, stderr } = await run('invoke', [
      'list-agreements',
      '--event',
      file,
      '--application',
      'sleepcare',
    ]);
    expect(code).toBe(0);
    const { statusCode, body } = JSON.parse(stdout);
    expect([statusCode, JSON.parse(body).items.length]).toEqual([200, 5]);
    expect(stderr).toMatch(/ 200 GET \/users\/agreements \d+ ms list-agreements sleepcare user /);
  });

  test('a function that fails is code 1', async () => {
    const { code, stderr } = await run('invoke', ['authorizer', '--event', event(null)]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('Error')]);
  });

  test('an unknown operation lists those that exist', async () => {
    const { code, stderr } = await run('invoke', ['fly', '--event', event({})]);
    expect(code).toBe(1);
    expect(stderr).toContain('there is no operation fly');
    expect(stderr).toContain('  list-agreements --application medinfo\n');
  });

  test('an event that cannot be read is one line', async () => {
    expect(await run('invoke', ['agree', '--event', '/nowhere.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ENOENT.*\n$/),
    });
  });
});

describe('npm run token', () => {
  test('asks the running stage', async () => {
    const stage = startLocal();
    await stage.printed('ready ');
    const PORT = new URL(stage.url()).port;
    const args = ['--user', 'u', '--roles', 'patient', '--application', 'sleepcare'];
    const { code, stdout } = await run('token', args, { PORT });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)]);
    const refused = await run('token', ['--user', 'u', '--application', 'elsewhere'], { PORT });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('There is no application "elsewhere"')]);
  });

  test('says that none runs', async () => {
    const { code, stderr } = await run('token', ['--user', 'u'], { PORT: '1' });
    expect([code, stderr]).toEqual([
      1,
      'no local stage answers at http://127.0.0.1:1; start it (npm start) or set PORT\n',
    ]);
  });
});
