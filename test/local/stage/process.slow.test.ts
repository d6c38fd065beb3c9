import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { alive, ask, descendants, projectDir, startLocal, temporaryFolder } from './local-process.ts';

/** The function host's guard has to notice first that the host is gone. */
const allEnded = (pids: number[]) => eventually(() => expect(alive(pids)).toEqual([]));

describe('npm start', () => {
  test('says where it serves, and the sign-in that it prints works when pasted', async () => {
    const stage = startLocal();
    const output = await stage.printed(/try:\n[\s\S]*?\n\n/);
    expect(output).toMatch(/^ready http:\/\/localhost:\d+ /m);
    expect(output).toContain(`${stage.url()}/de/v1`);
    expect(output).toContain(`${stage.url()}/v2`);
    expect(output).toContain('patient@example.com');

    const [, commands = ''] = /try:\n([\s\S]*?)\n\n/.exec(output) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', commands.replace('curl -H', 'curl -s -H')]);
    expect(JSON.parse(stdout).metadata).toMatchObject({ hasMore: false, nextCursor: null });
    await stage.printed(
      /^\d\d:\d\d:\d\d 200 GET \/users\/agreements \d+ ms list-agreements sleepcare user [0-9a-f]{4}…$/m,
    );

    await fetch(`${stage.url()}/nowhere`);
    await stage.printed(/^\d\d:\d\d:\d\d 404 GET \/nowhere /m);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends it with code 0 and no process left', async (signal) => {
    const stage = startLocal({ args: ['--as-deployed'] });
    await stage.printed('ready ');
    expect((await ask(stage.url(), '/users/agreements')).status).toBe(200);
    const started = descendants(stage.pid);
    expect(started.length).toBeGreaterThanOrEqual(2);
    process.kill(stage.pid, signal);
    process.kill(stage.pid, signal);
    expect(await stage.ended).toEqual({ code: 0, signal: null });
    await allEnded(started);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s to npm only ends the whole stage and frees its port',
    async (signal) => {
      const npm = startLocal({ byNpm: true });
      await npm.printed('ready ');
      expect((await ask(npm.url(), '/users/agreements')).status).toBe(200);
      const started = descendants(npm.pid);
      expect(started.length).toBeGreaterThanOrEqual(3);
      process.kill(npm.pid, signal);
      await npm.ended;
      await allEnded(started);
      await expect(fetch(npm.url())).rejects.toThrow('fetch failed');
    },
  );

  test('npm has ended also where nobody has asked for it, as below a container’s first process', async () => {
    const parent = startLocal({ byNpm: true, isUnreaped: true });
    await parent.printed('ready ');
    const [npm = 0, ...started] = descendants(parent.pid);
    process.kill(npm, 'SIGHUP');
    await allEnded([npm, ...started]);
    expect(descendants(parent.pid)).toEqual([npm]);
  });

  test('no process is left when it is killed', async () => {
    const stage = startLocal();
    await stage.printed('ready ');
    await ask(stage.url(), '/users/agreements');
    const started = descendants(stage.pid);
    process.kill(stage.pid, 'SIGKILL');
    await stage.ended;
    await allEnded(started);
  });

  test('a defect is reported, ends it with code 1 and leaves no process', async () => {
    const stage = startLocal({ preload: './test/local/stage/on-signal-reject.cjs' });
    await stage.printed('ready ');
    await ask(stage.url(), '/users/agreements');
    const started = descendants(stage.pid);
    process.kill(stage.pid, 'SIGUSR2');
    expect(await stage.ended).toEqual({ code: 1, signal: null });
    expect(stage.output()).toContain('Error: provoked by the test');
    await allEnded(started);
  });

  test('a taken port is one clear line and code 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const stage = startLocal({ env: { PORT: String(port) } });
    expect(await stage.ended).toEqual({ code: 1, signal: null });
    expect(stage.output()).toBe(`port ${port} on 127.0.0.1 is taken; stop what uses it or set PORT\n`);
    taken.close();
  });

  test.each([
    [{ PORT: 'many' }, 'PORT must be 0 to 65535, not "many"\n'],
    [{ HOST: '192.0.2.1', PORT: '3999' }, '192.0.2.1 is no address of this machine\n'],
  ])('%j is one clear line and code 1', async (env, line) => {
    const stage = startLocal({ env });
    expect((await stage.ended).code).toBe(1);
    expect(stage.output()).toBe(line);
  });

  test('DATA_DIR keeps consents, and the tokens and cursors that were issued', async () => {
    const env = { DATA_DIR: join(temporaryFolder(), 'data') };
    const first = startLocal({ env });
    await first.printed('ready ');
    const agreed = await ask(first.url(), '/agreements/versions/marketing-1.0/agree', 'POST');
    expect(agreed.status).toBe(200);
    const token = await (await fetch(`${first.url()}/_local/token?user=patient@example.com`)).text();
    const { nextCursor } = (await ask(first.url(), '/users/agreements?limit=1')).body.metadata;
    process.kill(first.pid, 'SIGINT');
    await first.ended;

    const second = startLocal({ env });
    await second.printed('ready ');
    const { body } = await ask(second.url(), '/users/agreements/marketing/history');
    expect(body.items).toMatchObject([{ action: 'agreed', recordedAt: agreed.body.agreedAt }]);
    const page = await fetch(`${second.url()}/de/v1/users/agreements?limit=1&cursor=${nextCursor}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(page.status).toBe(200);
  });
});

describe('an old Node', () => {
  const preload = join(projectDir, 'bin', 'require-node.cjs');
  test.each(['20.18.1', '18.0.0'])('%s is one clear line and code 1', async (version) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('${preload}')`;
    const { code, stderr } = await promisify(execFile)(process.execPath, ['-e', pretend]).catch((error) => error);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Node 24 or newer is needed, this is v.*\n$/);
  });

  test('this Node may run', () => {
    execFileSync(process.execPath, ['-r', preload, '-e', '0']);
  });
});
