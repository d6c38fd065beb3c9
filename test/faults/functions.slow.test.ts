import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../lib/bundle/bundle.ts';
import type { FunctionModel } from '../../lib/local/model.ts';
import { type FunctionCase, functionCases } from './functions.ts';
import { ledgerOf } from './ledger.ts';
import { routes } from './routes.ts';
import { openStage, type Stage } from './stage.ts';
import { expectAnswer } from './survive.ts';

/** A function that goes wrong by itself: an error in the service's form, and the same consent when it is asked for again. */

let stage: Stage;
let deployed: FunctionModel;
const folder = mkdtempSync(join(tmpdir(), 'faults-'));
beforeAll(async () => {
  // In processes: what a function does to itself delays there nobody else, and its memory has the limit that is deployed.
  stage = await openStage({ patience: 1, asDeployed: true });
  const agree = stage.stage.model().functions.find(({ operation }) => operation === 'agree');
  deployed = agree ?? expect.fail('no function is named agree');
});
const restore = () => stage.stage.replaceCode('agree', deployed.codeDir, deployed.memoryMb);
afterEach(restore);
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(functionCases)('$code: $name', async ({ source, code, isRecorded, memoryMb }) => {
  const { person, send } = await routes.agree(stage);
  stage.stage.replaceCode('agree', await built(source), memoryMb);
  const met = await send();
  expectAnswer(met, code);
  const { records: before } = await ledgerOf(stage, person.userId);
  expect(before).toHaveLength(isRecorded ? 1 : 0);

  restore();
  const again = await send();
  expectAnswer(again, null);
  const { findings, records } = await ledgerOf(stage, person.userId);
  expect(findings).toEqual([]);
  expect(records.map(({ recordedAt }) => recordedAt)).toEqual([again.body.agreedAt]);
  if (isRecorded) expect(records).toEqual(before);
});

/** @returns the folder of the function's code */
async function built(source: FunctionCase['source']): Promise<string> {
  const outdir = mkdtempSync(join(folder, 'agree-'));
  if (typeof source === 'object') {
    await bundle({ outdir, entries: [{ name: 'agree', file: source.bundled }] });
    return join(outdir, 'agree');
  }
  writeFileSync(
    join(outdir, 'real.mjs'),
    `export * from '${pathToFileURL(join(deployed.codeDir, 'index.mjs')).href}';`,
  );
  writeFileSync(join(outdir, 'index.mjs'), source);
  return outdir;
}
