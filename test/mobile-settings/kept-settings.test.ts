import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { keptSettings } from '../../functions/mobile-settings/stores/setting-rows.ts';
import { handlesNamed } from '../tables.ts';

/** The settings for phones are read once in five seconds, and no more often. */

test('settings are kept for five seconds; after that a change is answered', async () => {
  let [at, reads] = [1_000, 0];
  const send = async () => {
    reads += 1;
    return { Items: [] };
  };
  const { MobileSettings } = handlesNamed({ send } as unknown as DynamoDBDocumentClient, ['MobileSettings']);
  const read = keptSettings(MobileSettings, () => at);
  const readsAt = async (ms: number) => {
    at = 1_000 + ms;
    await read();
    return reads;
  };
  expect([await readsAt(0), await readsAt(4_999), await readsAt(5_001), await readsAt(10_000)]).toEqual([1, 1, 2, 2]);
});
