import { expect, test } from 'vitest';
import { type Replacement, report, type Step, StepRefused, takeStep } from '../../bin/replacement-steps.ts';
import { readRing } from '../../lib/contract/key-ring.ts';
import { type Secret, secret } from '../../lib/contract/secrets.ts';
import { keyIdOf } from '../../lib/runtime/hmac-and-encrypt.ts';

const first = 'A'.repeat(64);
const dayMs = 86_400_000;
const OneKey = secret('OneKey', { does: 'is of a test', lifeDays: 44 });
const never = new Error('the machine was switched off');

/** Secrets Manager, and three functions; each look and each change is an event at which the test may stop the command. */
function account(of: Secret = OneKey) {
  const state = {
    now: Date.parse('2026-12-01T12:00:00.000Z'),
    versions: [{ text: first, at: 0 }],
    everywhere: null as { text: string; since: Date } | null,
    functions: new Map(['sign-in', 'renew', 'sign-out'].map((name) => [name, first])),
    updating: new Set<string>(),
    deploying: [] as string[],
    events: 0,
    stopAt: Number.POSITIVE_INFINITY,
    settled: 0,
    lines: [] as string[],
  };
  const event = () => {
    state.events += 1;
    if (state.events >= state.stopAt) throw never;
    // What is made with the key that one function uses must be known to each other function, at every moment.
    const rings = [...state.functions.values()].map((text) => readRing(text, 'it'));
    for (const [current] of rings) for (const ring of rings) expect(ring).toContain(current);
  };
  const current = () => state.versions.at(-1)?.text ?? '';
  const replacement: Replacement = {
    secret: of,
    store: {
      async current() {
        event();
        return current();
      },
      async everywhere() {
        event();
        return state.everywhere;
      },
      async put(text, isEverywhere) {
        event();
        state.versions.push({ text, at: state.now });
        if (isEverywhere) state.everywhere = { text, since: new Date(state.now) };
        // The call arrived, and its answer is lost.
        event();
      },
    },
    functions: {
      names: async () => [...state.functions.keys()],
      async read(name) {
        event();
        return { text: state.functions.get(name) ?? '', isUpdating: state.updating.has(name) };
      },
      async write(name, text) {
        event();
        state.functions.set(name, text);
        state.updating.add(name);
        event();
      },
      deploying: async () => state.deploying,
    },
    now: () => new Date(state.now),
    pause: async () => state.updating.clear(),
    settle: async () => {
      event();
      state.settled += 1;
    },
    print: (line) => state.lines.push(line),
  };
  return {
    state,
    current,
    step: (step: Step, leaked?: string) => takeStep(replacement, step, leaked),
    report: async () => {
      state.lines = [];
      await report(replacement);
      return state.lines;
    },
    pass: (ms: number) => {
      state.now += ms;
    },
  };
}

const textsOf = ({ state }: ReturnType<typeof account>) => [...new Set(state.functions.values())];

test('a key is replaced in three steps; the old one goes after the stated time and not before', async () => {
  const one = account();
  await one.step('add');
  const [, second = ''] = readRing(one.current(), 'it');
  expect(one.current()).toBe(`${first} next:${second}`);
  expect(second).toMatch(/^[A-Za-z0-9]{64}$/);
  expect(textsOf(one)).toEqual([one.current()]);
  await one.step('use');
  expect(one.current()).toBe(`${second} old:${first}`);
  expect(textsOf(one)).toEqual([one.current()]);
  one.pass(44 * dayMs - 1);
  await expect(one.step('drop')).rejects.toThrow(StepRefused);
  expect(one.current()).toBe(`${second} old:${first}`);
  one.pass(1);
  await one.step('drop');
  expect(one.current()).toBe(second);
  expect(textsOf(one)).toEqual([second]);
  // Before each note that all functions have it, those that ran with the text before have ended.
  expect(one.state.settled).toBe(3);
});

test('nothing that is printed, and no error, shows a key', async () => {
  const one = account();
  const said: string[] = [];
  for (const step of ['use', 'add', 'add', 'use', 'drop', 'use'] as const) {
    await one.step(step).catch((error: Error) => said.push(error.message));
    said.push(...one.state.lines, ...(await one.report()));
  }
  const keys = one.state.versions.flatMap(({ text }) => readRing(text, 'it'));
  for (const key of keys) expect(said.join('\n')).not.toContain(key);
  expect(said.join('\n')).toContain(keyIdOf(first));
});

test('the report says how far it is', async () => {
  const one = account();
  expect(await one.report()).toEqual([
    'OneKey: is of a test',
    `  in use: ${keyIdOf(first)}`,
    '  3 of 3 functions have these keys',
    '  nothing is under way',
  ]);
  await one.step('add');
  const next = keyIdOf(readRing(one.current(), 'it')[1] ?? '');
  expect(await one.report()).toEqual(expect.arrayContaining([`  next: ${next}`, '  next step: use']));
  await one.step('use');
  expect(await one.report()).toEqual(
    expect.arrayContaining([`  old: ${keyIdOf(first)}`, '  next step: drop, from 2027-01-14T12:00:00.000Z on']),
  );
  one.state.functions.set('renew', one.state.versions.find(({ text }) => text.includes('next:'))?.text ?? '');
  expect(await one.report()).toEqual(
    expect.arrayContaining(['  2 of 3 functions have these keys', '  not yet: renew']),
  );
});

test.each<[string, readonly Step[], Step]>([
  ['use before add', [], 'use'],
  ['drop of the only key', [], 'drop'],
  ['a second add', ['add'], 'add'],
  ['drop before use', ['add'], 'drop'],
  ['a second use', ['add', 'use'], 'use'],
])('%s is refused and changes nothing', async (_what, before, step) => {
  const one = account();
  for (const each of before) await one.step(each);
  const { versions } = one.state;
  const count = versions.length;
  await expect(one.step(step)).rejects.toThrow(StepRefused);
  expect(versions).toHaveLength(count);
});

test.each<[Step]>([['add'], ['use'], ['drop']])(
  'stopped anywhere, the step %s is finished by itself, and no other goes on',
  async (step) => {
    const before: Step[] = step === 'add' ? [] : step === 'use' ? ['add'] : ['add', 'use'];
    for (let stopAt = 1; ; stopAt += 1) {
      const one = account();
      for (const each of before) await one.step(each);
      one.pass(44 * dayMs);
      const written = one.state.versions.length;
      Object.assign(one.state, { events: 0, stopAt });
      const isDone = await one.step(step).then(
        () => true,
        (error) => {
          if (error !== never) throw error;
          return false;
        },
      );
      one.state.stopAt = Number.POSITIVE_INFINITY;
      if (isDone) {
        expect(stopAt).toBeGreaterThan(10);
        return;
      }
      // A deploy in between gives a function what the secret says.
      one.state.functions.set('renew', one.current());
      const isNoted = one.state.everywhere?.text === one.current();
      if (one.state.versions.length > written && !isNoted) {
        for (const other of (['add', 'use', 'drop'] as const).filter((each) => each !== step)) {
          await expect(one.step(other)).rejects.toThrow('is not finished');
        }
      }
      if (one.state.versions.length === written || !isNoted) await one.step(step);
      expect(textsOf(one)).toEqual([one.current()]);
      expect(one.state.everywhere?.text).toBe(one.current());
      expect(readRing(one.current(), 'it')).toHaveLength(step === 'drop' ? 1 : 2);
    }
  },
);

test('while a stack is deployed nothing is changed', async () => {
  const one = account();
  one.state.deploying = ['MobileHealth-dev-Sleepcare'];
  await expect(one.step('add')).rejects.toThrow('MobileHealth-dev-Sleepcare: a deploy is under way');
  expect(one.current()).toBe(first);
});

test('a function that lost the keys again gets them before anything else; then the time of the old key begins again', async () => {
  const one = account();
  await one.step('add');
  // A deploy that failed gave it back what it had.
  one.state.functions.set('renew', first);
  await one.step('use');
  expect(textsOf(one)).toEqual([one.current()]);
  const added = one.state.versions.find(({ text }) => text.includes('next:'))?.text ?? '';
  one.pass(45 * dayMs);
  one.state.functions.set('renew', added);
  await expect(one.step('drop')).rejects.toThrow('the time of OneKey begins again');
  expect(textsOf(one)).toEqual([one.current()]);
  await expect(one.step('drop')).rejects.toThrow('44 days');
  one.pass(44 * dayMs);
  await one.step('drop');
  expect(readRing(one.current(), 'it')).toHaveLength(1);
});

test('a function that lost the keys is repaired at any time', async () => {
  const one = account();
  for (const step of ['add', 'use'] as const) await one.step(step);
  const added = one.state.versions.find(({ text }) => text.includes('next:'))?.text ?? '';
  one.state.functions.set('renew', added);
  const wrong = await one.report();
  expect(wrong).toContain('  not yet: renew');
  expect(wrong.at(-1)).toContain('next step: repair');
  await one.step('repair');
  expect(textsOf(one)).toEqual([one.current()]);
  expect((await one.report()).join()).not.toContain('not yet');
  // It is no step of its own, and hides none that stopped.
  one.pass(44 * dayMs);
  one.state.stopAt = one.state.events + 12;
  await expect(one.step('drop')).rejects.toBe(never);
  one.state.stopAt = Number.POSITIVE_INFINITY;
  await expect(one.step('repair')).rejects.toThrow('the step drop of OneKey is not finished');
});

test('an old key that leaked is dropped at once, and the other keys stay', async () => {
  const one = account();
  for (const step of ['add', 'use', 'add', 'use'] as const) await one.step(step);
  const [third = '', second = ''] = readRing(one.current(), 'it');
  expect(one.current()).toBe(`${third} old:${second} old:${first}`);
  await expect(one.step('drop', keyIdOf(third))).rejects.toThrow('is no old key');
  await one.step('drop', keyIdOf(second));
  expect(one.current()).toBe(`${third} old:${first}`);
});

test('a key of what lives for good never goes, and there is an end of keys', async () => {
  const one = account(secret('CodeKey', { does: 'is of a test', lifeDays: null }));
  for (let count = 1; count < 5; count += 1) for (const step of ['add', 'use'] as const) await one.step(step);
  await expect(one.step('add')).rejects.toThrow('has 5 keys');
  one.pass(9999 * dayMs);
  await expect(one.step('drop')).rejects.toThrow('each key stays');
  await expect(one.step('drop', keyIdOf(first))).rejects.toThrow('each key stays');
  expect(await one.report()).toContain('  the old keys stay');
});

test('a text that is no ring stops it before anything is changed', async () => {
  const one = account();
  one.state.versions.push({ text: `${first},${first}`, at: 0 });
  await expect(one.step('add')).rejects.toThrow('OneKey is no ring of keys');
  expect(textsOf(one)).toEqual([first]);
});
