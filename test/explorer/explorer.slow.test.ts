import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import { allWithin, nothingCovered, shrunk, stand, withSeeds } from '../../lib/explore/explore.ts';
import { openPlatform } from '../../lib/explore/platform.ts';
import type { Scenario } from '../../lib/explore/scenario.ts';
import { consentsDrawn } from '../consents/explored/drawn.ts';
import { twoPhones } from '../consents/explored/two-phones.ts';
import { firstFind } from './finds.ts';

/** A race that is planted here is found by seeds and by all orders. */

const platform = openPlatform(root, declarations, 'prod');

/** The pointer's condition is dropped: of two decisions at once both write a record. */
function withoutCondition(): ReadonlyMap<string, string> {
  const file = join(root, 'functions/consents/stores/consent-rows.ts');
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(', stillShows(record.sequence - 1))', ')');
  expect(changed).not.toBe(text);
  return new Map([[file, changed]]);
}

test('a dropped condition is found, and its story is shrunk to the two decisions', async () => {
  const planted = openPlatform(root, declarations, 'prod', withoutCondition());
  const stood = await stand(planted, twoPhones);
  const seeds = Array.from({ length: 200 }, (_, index) => index);
  const found = await withSeeds(stood, seeds, nothingCovered());
  if (!found) throw new Error('not found');
  const { violation } = found;
  const short = await shrunk(planted, twoPhones, stood.state, violation);
  expect(short.promise).toBe(violation.promise);
  expect(short.taken.length).toBeLessThanOrEqual(violation.taken.length);
  expect(short.story.filter((line) => line.includes('TransactWriteItems')).length).toBeGreaterThanOrEqual(2);
});

test('two writers that meet at a consent that exists are drawn: a pointer that shows any record is found', async () => {
  const file = join(root, 'functions/consents/stores/consent-rows.ts');
  const text = readFileSync(file, 'utf8');
  const changed = text.replace('ifUnchanged({ sequence })', "{ ConditionExpression: 'attribute_exists(userId)' }");
  expect(changed).not.toBe(text);
  const stood = await stand(openPlatform(root, declarations, 'prod', new Map([[file, changed]])), consentsDrawn);
  const seeds = Array.from({ length: 100 }, (_, index) => index);
  const found = await withSeeds(stood, seeds, nothingCovered());
  expect(found?.violation.promise).toBe('each chain alternates, and its hashes fit');
});

test('every order of a small scenario is explored, and finds the dropped condition, too', async () => {
  const [phone] = Object.values(twoPhones.clients);
  if (!phone) throw new Error('no phone');
  const small: Scenario = {
    ...twoPhones,
    clients: Object.fromEntries(
      ['phone A', 'phone B'].map((name) => [
        name,
        {
          as: phone.as,
          does: ({ insist }) => insist('agree', { params: { versionId: 'marketing-1.0' } }),
        },
      ]),
    ),
    consumers: [],
    invariants: {
      'each chain alternates, and its hashes fit':
        twoPhones.invariants['each chain alternates, and its hashes fit'] ?? fails,
    },
  };
  const sound = await allWithin(await stand(platform, small), nothingCovered());
  expect(sound).toMatchObject({ isComplete: true, violation: null });
  expect(sound.schedules).toBeGreaterThan(1);
  const planted = openPlatform(root, declarations, 'prod', withoutCondition());
  const broken = await allWithin(await stand(planted, small), nothingCovered());
  expect(broken.violation?.promise).toBe('each chain alternates, and its hashes fit');
});

test('a promise that is open, or that breaks without the planted fault, too, shows no fault', async () => {
  const planted = await stand(openPlatform(root, declarations, 'prod', withoutCondition()), twoPhones);
  const sound = await stand(platform, twoPhones);
  const seeds = Array.from({ length: 100 }, (_, index) => index);
  const find = await firstFind({ planted, sound }, seeds, nothingCovered(), {});
  const { promise } = find?.violation ?? fails();
  const open = { [twoPhones.name]: { [promise]: 'known' } };
  const other = await firstFind({ planted, sound }, seeds, nothingCovered(), open);
  expect(other?.violation.promise).not.toBe(promise);
  expect(await firstFind({ planted, sound: planted }, seeds, nothingCovered(), {})).toBeNull();
});

function fails(): never {
  throw new Error('the promise is not there');
}
