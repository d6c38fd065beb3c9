import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { hashOf, stateOf } from '../../functions/consents/rules/record.ts';
import { ConsentRecord as ConsentRecordAnswer } from '../../functions/consents/schemas.ts';
import { checkAnchors } from '../../functions/ledger/rules/anchor.ts';
import { checkChain } from '../../functions/ledger/rules/chain-check.ts';
import type { StoredRecord } from '../../functions/ledger/rules/finding.ts';
import { merkleRoot } from '../../functions/ledger/rules/merkle.ts';
import { checkPointer } from '../../functions/ledger/rules/pointer-check.ts';
import { judgeChange } from '../../functions/ledger/rules/watched-change.ts';
import { historyOf, rewritten } from './histories.ts';

/** The laws: what nextRecord makes is clean, and nothing that was done to it is. */

const history = fc.integer({ min: 1, max: 12 }).map((length) => historyOf(length));
const rows = (chain: readonly ConsentRecord[]): StoredRecord[] =>
  chain.map((record) => ({ userAgreement: `${record.userId}#${record.agreementId}`, ...record }));
const nameOf = ([first]: readonly ConsentRecord[]) => `${first?.userId}#${first?.agreementId}`;

/** A chain, its pointer, and what the checkpoint said of it while it was as it should be. */
function check(chain: readonly ConsentRecord[], records: readonly StoredRecord[], pointer: StoredRecord | null) {
  const userAgreement = nameOf(chain);
  const anchors = chain.slice(-1).map(({ sequence, hash }) => ({ userAgreement, sequence, hash, checkpoint: 1 }));
  return [
    ...checkChain(userAgreement, records),
    ...checkPointer(userAgreement, records, pointer),
    ...checkAnchors(userAgreement, records, anchors),
  ];
}

const pointerOf = (chain: readonly ConsentRecord[]) => stateOf(chain.at(-1) as ConsentRecord);

test('every history is clean', () => {
  fc.assert(
    fc.property(history, (chain) => {
      expect(check(chain, rows(chain), pointerOf(chain))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

const fields = Object.keys(historyOf(1)[0] as ConsentRecord) as (keyof ConsentRecord)[];

type Mutation = (records: StoredRecord[], at: number, other: number, value: string) => StoredRecord[];

const mutations: Record<string, Mutation> = {
  'a field is altered': (records, at, other, value) =>
    records.with(at, { ...records[at], [fields[other % fields.length] as string]: value }),
  'a field is gone': (records, at, other) => {
    const { [fields[other % fields.length] as string]: _gone, ...rest } = records[at] as Record<string, unknown>;
    return records.with(at, rest);
  },
  'a field is added': (records, at, _, value) => records.with(at, { ...records[at], [`x${value}`]: value }),
  'a record is dropped': (records, at) => records.toSpliced(at, 1),
  'a record is there twice': (records, at) => records.toSpliced(at, 0, records[at] as StoredRecord),
  'an end is dropped': (records, at) => records.slice(0, at),
  'a beginning is dropped': (records, at) => records.slice(at + 1),
};

test.each(Object.entries(mutations))('any one mutation is found: %s', (_, mutate) => {
  const place = fc.tuple(history, fc.nat(), fc.nat(), fc.string({ minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(place, ([chain, index, other, value]) => {
      const records = rows(chain);
      const mutated = mutate(records, index % chain.length, other, value);
      fc.pre(!isDeepStrictEqual(mutated, records));
      expect(check(chain, mutated, pointerOf(chain))).not.toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('any two records swapped are found, with their keys or without', () => {
  const pair = fc.tuple(fc.integer({ min: 2, max: 12 }), fc.nat(), fc.nat(), fc.boolean());
  fc.assert(
    fc.property(pair, ([length, a, b, keepsKeys]) => {
      const chain = historyOf(length);
      const records = rows(chain);
      const [one, other] = [a % length, b % length];
      fc.pre(one !== other);
      const [first, second] = [records[one] as StoredRecord, records[other] as StoredRecord];
      const moved = (record: StoredRecord, to: StoredRecord) =>
        keepsKeys ? { ...record, recordedAt: to.recordedAt } : record;
      const swapped = records.with(one, moved(second, first)).with(other, moved(first, second));
      expect(check(chain, swapped, pointerOf(chain))).not.toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('any other pointer is found, and none at all', () => {
  fc.assert(
    fc.property(history, fc.nat(), fc.nat(), fc.string(), (chain, index, other, value) => {
      const records = rows(chain);
      const pointer = pointerOf(chain);
      const names = Object.keys(pointer);
      const name = names[other % names.length] as keyof typeof pointer;
      fc.pre(pointer[name] !== value);
      expect(check(chain, records, { ...pointer, [name]: value })).not.toEqual([]);
      expect(check(chain, records, null)).not.toEqual([]);
      if (index % chain.length < chain.length - 1) {
        const lagging = stateOf(chain[index % chain.length] as ConsentRecord);
        expect(check(chain, records, lagging)).toMatchObject([{ kind: 'pointer-lags' }]);
      }
    }),
    { numRuns: 60 },
  );
});

test('an attacker who recomputes every hash and the pointer is found by what was anchored, and only by that', () => {
  fc.assert(
    fc.property(history, fc.nat(), fc.constantFrom('versionId', 'locale', 'requestId'), (chain, index, field) => {
      const forged = rewritten(chain, index % chain.length, { [field]: 'forged' });
      const found = check(chain, rows(forged), pointerOf(forged));
      expect(found).toMatchObject([{ kind: 'anchored-record-differs', sequence: chain.length }]);
    }),
    { numRuns: 50 },
  );
});

describe('a chain', () => {
  test('may repeat an action: another version is agreed to', () => {
    const [first, second] = historyOf(2) as [ConsentRecord, ConsentRecord];
    const { hash: _hash, ...unsealed } = { ...second, action: 'agreed' as const };
    const chain = [first, { ...unsealed, hash: hashOf(unsealed) }];
    expect(check(chain, rows(chain), pointerOf(chain))).toEqual([]);
  });

  test('may be imported', () => {
    const chain = rewritten(historyOf(1), 0, { source: 'imported', recordedAt: '2019-05-01T00:00:00.000Z' });
    expect(check(chain, rows(chain), pointerOf(chain))).toEqual([]);
  });

  test.each([
    { requestId: 7 },
    { appVersion: 7 },
    { locale: 7 },
    { locale: 'a' },
    { contentHash: null },
    { versionId: 7 },
    { versionId: '' },
    { recordId: 'x'.repeat(65) },
    { action: 'other' },
    { localeSource: null },
    { versionId: 'me' },
    { recordId: '..' },
    { locale: `de${'-abcdefgh'.repeat(4)}` },
    { source: ['user'] },
    { action: ['agreed'] },
  ])('has no record that no list can show: %j', (change) => {
    const [record] = historyOf(1) as [ConsentRecord];
    const { hash: _hash, ...unsealed } = { ...record, ...change } as ConsentRecord;
    const planted = { ...unsealed, hash: hashOf(unsealed) };
    expect(ConsentRecordAnswer.safeParse(planted).success).toBe(false);
    const found = checkChain(nameOf([record]), rows([planted]));
    expect(found.map(({ kind }) => kind)).toEqual(['record-malformed']);
    expect(ConsentRecordAnswer.safeParse(record).success).toBe(true);
    const [row = {}] = rows([planted]);
    const written = { before: null, after: row, at: new Date(record.recordedAt), isByTimeToLive: false };
    const attributes = Object.keys(row);
    expect(judgeChange(written, { attributes, movedClock: false })).toMatchObject({ suspicion: 'not-a-record' });
  });

  test('is reported with user, agreement and record', () => {
    const chain = historyOf(3);
    const [{ userId, agreementId }] = chain as [ConsentRecord];
    const found = checkChain(nameOf(chain), rows(chain).with(1, { ...rows(chain)[1], locale: 'fr' }));
    const { recordedAt } = chain[1] as ConsentRecord;
    expect(found).toMatchObject([{ kind: 'record-altered', userId, agreementId, recordedAt, sequence: 2 }]);
  });
});

describe('the tree', () => {
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];

  /** As RFC 6962 section 2.1 writes it down. */
  function root(some: readonly string[]): Buffer {
    const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    if (some.length === 0) return sha256();
    if (some.length === 1) return sha256(Buffer.of(0), Buffer.from(some[0] as string));
    let split = 1;
    while (split * 2 < some.length) split *= 2;
    return sha256(Buffer.of(1), root(some.slice(0, split)), root(some.slice(split)));
  }

  test('is RFC 6962’s, of any number of leaves', () => {
    for (let length = 0; length <= 40; length += 1) {
      const some = Array.from({ length }, (_, index) => `${leaves[index % leaves.length]}${index}`);
      expect(merkleRoot(some)).toBe(root(some).toString('hex'));
    }
    expect(merkleRoot([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(merkleRoot([''])).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
  });

  test('has another root for any other leaves', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 9 }), fc.array(fc.string(), { maxLength: 9 }), (one, other) => {
        expect(merkleRoot(one) === merkleRoot(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});
