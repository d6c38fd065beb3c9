import { expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { historyOf, rewritten } from './histories.ts';
import { openStand } from './stand.ts';

/** Nothing in a clean run of 100,000 records, and each mutation that was planted among them. */
test('100,000 records', async () => {
  await using closing = new AsyncDisposableStack();
  const stand = await openStand();
  closing.defer(stand.close);
  let loaded = 0;
  const planted: ConsentRecord[][] = [];
  for (let index = 0; loaded < 100_000; index += 250) {
    const chains = Array.from({ length: 250 }, (_, at) => historyOf(1 + ((index + at) % 7)));
    await stand.load(chains);
    loaded += chains.flat().length;
    if (planted.length < 5) planted.push(chains.find(({ length }) => length === 7) ?? []);
  }
  await stand.checkpoint();
  const clean = await stand.verify();
  expect(clean).toMatchObject({ records: loaded, findings: 0, found: [] });

  const [altered, dropped, swapped, lagging, forged] = planted as [
    ConsentRecord[],
    ConsentRecord[],
    ConsentRecord[],
    ConsentRecord[],
    ConsentRecord[],
  ];
  const nameOf = ([first]: ConsentRecord[]) => `${first?.userId}#${first?.agreementId}`;
  await stand.putRow(nameOf(altered), { ...altered[2], locale: 'fr' });
  await stand.drop(dropped.slice(3, 4));
  await stand.putRow(nameOf(swapped), { ...swapped[1], recordedAt: swapped[2]?.recordedAt });
  await stand.putRow(nameOf(swapped), { ...swapped[2], recordedAt: swapped[1]?.recordedAt });
  await stand.load([lagging.slice(0, -1)]);
  await stand.load([rewritten(forged, 0, { contentHash: 'f'.repeat(64) })]);
  const { found } = await stand.verify();
  const users = Object.groupBy(found, ({ userId }) => String(userId));
  const kindsOf = ([first]: ConsentRecord[]) => [...new Set(users[String(first?.userId)]?.map(({ kind }) => kind))];
  expect(kindsOf(altered)).toEqual(['record-altered']);
  expect(kindsOf(dropped)).toEqual(['record-missing']);
  expect(kindsOf(swapped).toSorted()).toEqual(['record-altered', 'record-missing', 'record-out-of-order']);
  expect(kindsOf(lagging)).toEqual(['pointer-lags']);
  expect(kindsOf(forged)).toEqual(['anchored-record-differs']);
  expect(Object.keys(users)).toHaveLength(5);
});
