import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keptFolder } from '../../lib/bundle/kept-folder.ts';

/** Folders that are made from files. */

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  let made = 0;
  const made1 = (salt = 'a', during: () => void = () => undefined) =>
    keptFolder({ directory: join(folder, 'kept'), salt }, async (into) => {
      made += 1;
      const text = readFileSync(file('one'), 'utf8');
      during();
      writeFileSync(join(into, 'result'), text);
      return [file('one'), file('two')];
    });
  const write = (name: string, text: string) => writeFileSync(file(name), text);
  write('one', '1');
  write('two', '2');
  return { made: () => made, get: made1, write, rm: (name: string) => rmSync(file(name)) };
}

/** The clock of the files may be coarser than the process's, so a folder waits until the files are older than it. */
async function settled(get: ReturnType<typeof place>['get'], salt?: string) {
  for (;;) {
    const { folder } = await get(salt);
    if (!folder.includes('/once-')) return folder;
  }
}

test('the folder is made once, and again when a file changes, goes, or comes back', async () => {
  const { get, made, write, rm } = place();
  const first = await settled(get);
  const count = made();
  expect(await get()).toMatchObject({ folder: first, isKept: true });
  write('two', 'changed');
  const second = await settled(get);
  expect(second).not.toBe(first);
  rm('two');
  expect((await get()).isKept).toBe(false);
  write('two', '2');
  expect(await get()).toMatchObject({ folder: first, isKept: true });
  expect(made()).toBeGreaterThan(count);
  expect(readFileSync(join(first, 'result'), 'utf8')).toBe('1');
});

test('another salt is another folder', async () => {
  const { get } = place();
  expect(await settled(get, 'a')).not.toBe(await settled(get, 'b'));
});

test('a file that is saved while the folder is made: the folder is used once', async () => {
  const { get, write } = place();
  await settled(get, 'before');
  const during = await get('a', () => write('one', '3'));
  expect(during.isKept).toBe(false);
  expect(readFileSync(join(during.folder, 'result'), 'utf8')).toBe('1');
  const after = await settled(get);
  expect(readFileSync(join(after, 'result'), 'utf8')).toBe('3');
});
