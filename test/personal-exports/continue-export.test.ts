import { expect, test } from 'vitest';
import { giveUp } from '../../functions/personal-exports/workflows/continue-export.ts';
import { Crash, expected, inMemory } from './world.ts';

/** The job, killed and raced at every place: it ends with one whole ZIP, or with nothing. */

const complete = (made: ReturnType<typeof inMemory>) => {
  expect(made.row()).toMatchObject({ status: 'done', sizeBytes: expected.length, progress: null, leaseEndsAt: null });
  expect([...made.objects]).toEqual([['export.zip', expected]]);
};

test('in one invocation', async () => {
  const made = inMemory();
  expect(await made.deliver()).toBe('done');
  complete(made);
  expect(made.messages()).toBe(0);
});

test.each([1, 2, 3, 7])('time is up after every %i pages: it goes on where it was', async (pages) => {
  const made = inMemory(pages);
  expect(await made.deliver()).toBe('goes on');
  expect(made.row()).toMatchObject({ status: 'running', leaseEndsAt: null });
  expect(await made.deliverAll()).toBeGreaterThan(1);
  complete(made);
  expect(made.zips).toHaveLength(1);
});

const counted = async (pages?: number) => {
  const made = inMemory(pages);
  await made.deliverAll();
  return made.effects();
};

test.each([undefined, 3])('killed before and after every step, time being up after %s pages', async (pages) => {
  const steps = await counted(pages);
  expect(steps).toBeGreaterThan(20);
  for (let step = 0; step < steps; step += 1) {
    for (const moment of ['before', 'after'] as const) {
      const made = inMemory(pages);
      let isOver = false;
      made.interrupt((number, when) => {
        if (isOver || number !== step || when !== moment) return;
        isOver = true;
        throw new Crash();
      });
      await made.deliverAll();
      expect(isOver, `${moment} step ${step}`).toBe(true);
      complete(made);
    }
  }
});

test('killed at every second step, whatever it is, it still ends', async () => {
  const made = inMemory(2);
  let number = 0;
  made.interrupt((_, when) => {
    if (when === 'after' && number++ % 9 === 8) throw new Crash();
  });
  await made.deliverAll();
  complete(made);
});

test('erased before and after every step: nothing is left, and nothing comes back', async () => {
  const steps = await counted(3);
  for (let step = 0; step < steps; step += 1) {
    for (const moment of ['before', 'after'] as const) {
      const made = inMemory(3);
      made.interrupt((number, when) => {
        if (number === step && when === moment) made.erase();
      });
      await made.deliverAll();
      expect([made.row(), [...made.objects.keys()]], `${moment} step ${step}`).toEqual([null, []]);
    }
  }
});

test('erased and killed at once: objects that the erasure did not see are deleted when the message comes again', async () => {
  const steps = await counted(3);
  for (let step = 0; step < steps; step += 1) {
    const made = inMemory(3);
    let isErased = false;
    made.interrupt((number, when) => {
      if (number === step && when === 'before') {
        isErased = true;
        made.erase();
      }
      if (number === step && when === 'after' && isErased) throw new Crash();
    });
    await made.deliverAll();
    expect([made.row(), [...made.objects.keys()]], `step ${step}`).toEqual([null, []]);
  }
});

test('a message too many waits for the running export, and finds it done', async () => {
  const made = inMemory();
  let second: Promise<unknown> | undefined;
  made.interrupt((number) => {
    if (number === 6) second ??= made.deliver();
  });
  // Its own clock moves on with each delivery: the first one's lease has to be seen before that.
  await made.deliver();
  await second;
  made.interrupt(() => {});
  await made.deliverAll();
  complete(made);
});

test('a release that gathers in another order starts again, and mixes nothing', async () => {
  const made = inMemory(3);
  await made.deliver();
  const { progress } = made.row() ?? {};
  expect(progress?.parts).not.toEqual({});
  made.change({ progress: progress ? { ...progress, plan: 'another', parts: { 'gone.json': 3 } } : null });
  made.objects.set('parts/gone.json/0', 'old');
  await made.deliverAll();
  complete(made);
});

test('what cannot be made is failed when its message is given up, and nothing of it stays', async () => {
  const made = inMemory();
  made.interrupt((number) => {
    if (number > 10) throw new Crash();
  });
  for (let times = 0; times < 3; times += 1) expect(await made.deliver()).toBe('crashed');
  made.interrupt(() => {});
  await giveUp(made.world);
  expect(made.row()).toMatchObject({ status: 'failed', progress: null });
  expect(made.objects.size).toBe(0);
  // A message that comes all the same changes nothing.
  expect(await made.deliver()).toBe('over');
  expect(made.row()).toMatchObject({ status: 'failed' });
});

test('what another function has taken a step of meanwhile is not given up, and loses nothing', async () => {
  const made = inMemory(3);
  await made.deliver();
  const parts = made.objects.size;
  expect(parts).toBeGreaterThan(0);
  await giveUp({ ...made.world, replace: async () => false });
  expect(made.objects.size).toBe(parts);
  await made.deliverAll();
  complete(made);
});

test('what an erasure has taken before it is given up leaves no object', async () => {
  const made = inMemory(3);
  await made.deliver();
  expect(made.objects.size).toBeGreaterThan(0);
  const rows = [await made.world.read(), null];
  await giveUp({ ...made.world, read: async () => rows.shift() ?? null, replace: async () => false });
  expect(made.objects.size).toBe(0);
});

test('an export that failed because of its age is not begun again; a finished export never fails', async () => {
  const old = inMemory();
  old.elapse(3 * 3_600_000);
  expect(await old.deliver()).toBe('given up');
  expect(old.row()).toMatchObject({ status: 'failed' });
  const made = inMemory();
  await made.deliver();
  await giveUp(made.world);
  complete(made);
});
