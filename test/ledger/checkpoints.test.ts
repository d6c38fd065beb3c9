import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { stateOf } from '../../functions/consents/rules/record.ts';
import { ledgerPrefix, tombstonesPrefix } from '../../functions/evidence/buckets.ts';
import { tombstoneKey } from '../../functions/evidence/rules/evidence-keys.ts';
import {
  changesKey,
  checkpointKey,
  digestOf,
  shardKey,
  treeKey,
  treeRoot,
} from '../../functions/ledger/rules/checkpoint.ts';
import { leafText, shardOf } from '../../functions/ledger/rules/leaf.ts';
import { merkleRoot } from '../../functions/ledger/rules/merkle.ts';
import { packLeaves } from '../../functions/ledger/stores/evidence.ts';
import { readCompact, signingInput } from '../../lib/runtime/jws.ts';
import { listVersions, readObject } from '../../lib/runtime/objects.ts';
import { historyOf, rewritten } from './histories.ts';
import { openStand, type Stand } from './stand.ts';

/** What is outside the tables: what checkpoints say, what they cover, and who tampers with them. */

let stand: Stand;
const chain = historyOf(6);
const upTo = (length: number) => chain.slice(0, length);
const [first] = chain as [ConsentRecord];
const { userId, agreementId } = first;

beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const text = async (key: string) => (await readObject(stand.evidence, key))?.toString('utf8') ?? '';
const payload = async (number: number) => readCompact(await text(checkpointKey(number)))?.payload ?? {};

test('all that a checkpoint and a release write is below the prefixes that their functions are let to', () => {
  const keys = [checkpointKey(1), treeKey('a'), shardKey('a'), changesKey('a')];
  expect(keys.filter((key) => !key.startsWith(ledgerPrefix))).toEqual([]);
  expect(tombstoneKey('a').startsWith(tombstonesPrefix)).toBe(true);
});

test('a checkpoint says how many chains and records there are, follows the last one, and repeats nothing', async () => {
  await stand.load([upTo(2), historyOf(3)]);
  await stand.checkpoint();
  await stand.load([upTo(5)]);
  const written = await stand.checkpoint();
  expect(written).toMatchObject({ number: 2, chains: 2, records: 8, changed: 1, shardsWritten: 1, retracted: 0 });
  expect(await payload(1)).toMatchObject({ number: 1, chains: 2, records: 5, changes: null, previous: null });
  expect(await payload(2)).toEqual({
    number: 2,
    environment: 'dev',
    at: '2026-11-01T02:00:00.000Z',
    chains: 2,
    records: 8,
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
    changes: expect.stringMatching(/^[0-9a-f]{64}$/),
    deferred: [],
    previous: digestOf(await text(checkpointKey(1))),
  });
  expect(await stand.checkpoint()).toMatchObject({ changed: 0, shardsWritten: 0 });
  const shards: string[] = [];
  for await (const { key } of listVersions(stand.evidence, 'ledger/shards/')) shards.push(key);
  expect(shards).toHaveLength(3);
});

test('an empty ledger has a checkpoint, and is clean', async () => {
  expect(await stand.checkpoint()).toMatchObject({ chains: 0, records: 0 });
  expect((await stand.verify()).found).toEqual([]);
});

test('without any checkpoint nothing is said of the ledger, unless that is asked for', async () => {
  await stand.load([chain]);
  await expect(stand.verify()).rejects.toThrow(/there is no checkpoint.*--without-checkpoint/);
  expect(await stand.verify({ withoutCheckpoint: true })).toMatchObject({ newest: null, found: [] });
});

test('an old newest checkpoint is a finding where a fresh one is asked for', async () => {
  await stand.load([chain]);
  await stand.checkpoint();
  expect((await stand.verify({ freshSince: new Date('2026-11-01T01:00:00.000Z') })).kinds).toEqual([]);
  const { found } = await stand.verify({ freshSince: new Date('2026-11-01T01:00:00.001Z') });
  expect(found).toMatchObject([
    { kind: 'checkpoint-stale', says: expect.stringContaining('2026-11-01T01:00:00.000Z') },
  ]);
});

describe('a forger who recomputes every hash and pointer', () => {
  const forged = rewritten(chain, 1, { action: 'agreed', appVersion: 'forged' });

  test('after the last checkpoint is not seen: it covers what precedes it', async () => {
    await stand.load([upTo(1)]);
    await stand.checkpoint();
    await stand.load([forged]);
    const { found, newest } = await stand.verify();
    expect({ found, covers: newest?.records }).toEqual({ found: [], covers: 1 });
  });

  test('and then waits for the next checkpoint, is seen by the one before', async () => {
    await stand.load([upTo(2)]);
    await stand.checkpoint();
    await stand.load([upTo(4)]);
    await stand.checkpoint();
    await stand.load([forged]);
    expect(await stand.checkpoint()).toMatchObject({ number: 3, changed: 1 });
    expect((await stand.verify()).found).toMatchObject([
      { kind: 'anchored-record-differs', userId, agreementId, sequence: 2 },
      { kind: 'anchored-record-differs', userId, agreementId, sequence: 4 },
    ]);
  });

  test('and shortens the chain, which the next checkpoint counts', async () => {
    await stand.load([upTo(4)]);
    await stand.checkpoint();
    await stand.drop(chain.slice(2, 4));
    await stand.putPointer(stateOf(chain[1] as ConsentRecord));
    expect(await stand.checkpoint()).toMatchObject({ retracted: 1 });
    expect((await stand.verify()).found).toMatchObject([{ kind: 'anchored-record-missing', sequence: 4 }]);
  });
});

describe('somebody who tampers with the evidence', () => {
  beforeEach(async () => {
    await stand.load([upTo(2), historyOf(1), historyOf(2)]);
    await stand.checkpoint();
    await stand.load([upTo(4)]);
    await stand.checkpoint();
    await stand.load([upTo(5)]);
    await stand.checkpoint();
  });
  const overwrite = (key: string, body: string | Buffer) => {
    const { s3, bucket } = stand.evidence;
    return s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  };
  const hide = (key: string) => {
    const { s3, bucket } = stand.evidence;
    return s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  };
  const resigned = async (number: number, change: object, key?: Stand['foreignKey']) =>
    stand.sign({ ...(await payload(number)), ...change }, 'ledger-checkpoint+jwt', key);

  test('nobody has', async () => {
    expect(await stand.verify()).toMatchObject({ checkpoints: 3, found: [] });
  });

  test('overwrites or hides a checkpoint: the locked version counts, and the change is reported', async () => {
    await overwrite(checkpointKey(2), 'nothing');
    await hide(checkpointKey(3));
    const { found, checkpoints } = await stand.verify();
    expect(checkpoints).toBe(3);
    expect(found.map(({ kind, says }) => [kind, says.split(':')[0]])).toEqual([
      ['checkpoint-rewritten', checkpointKey(2)],
      ['checkpoint-rewritten', checkpointKey(3)],
    ]);
  });

  test('overwrites or hides what they are about: the locked version counts', async () => {
    const { root, changes } = await payload(3);
    const tree = JSON.parse(await text(treeKey(String(root)))) as Record<string, string>;
    const [shard = ''] = Object.values(tree);
    await hide(treeKey(String(root)));
    await overwrite(shardKey(shard), packLeaves([]));
    await overwrite(changesKey(String(changes)), 'no gzip');
    expect((await stand.verify()).found).toEqual([]);
  });

  test('puts a checkpoint that another key has signed', async () => {
    const digest = digestOf(await text(checkpointKey(3)));
    await stand.putEvidence(checkpointKey(4), await resigned(3, { number: 4, previous: digest }, stand.foreignKey));
    const { kinds, newest } = await stand.verify();
    expect({ kinds, newest: newest?.number }).toEqual({ kinds: ['checkpoint-invalid'], newest: 3 });
  });

  test('puts one without a signature, or alters what one says', async () => {
    const { root: _root, ...rest } = await payload(3);
    const unsigned = `${signingInput({ alg: 'none' }, { ...rest, number: 4 })}.`;
    await stand.putEvidence(checkpointKey(4), unsigned);
    const [header, , signature] = (await text(checkpointKey(3))).split('.');
    const altered = Buffer.from(JSON.stringify({ ...(await payload(3)), number: 5 })).toString('base64url');
    await stand.putEvidence(checkpointKey(5), `${header}.${altered}.${signature}`);
    const { found } = await stand.verify();
    expect(found.map(({ kind }) => kind)).toEqual(['checkpoint-invalid', 'checkpoint-invalid']);
  });

  test.each([
    ['another environment', { environment: 'prod' }],
    ['another number', { number: 7 }],
    ['another predecessor', { previous: 'f'.repeat(64) }],
    ['an older time', { at: '2026-10-01T00:00:00.000Z' }],
    ['no changes', { changes: null }],
  ])('has one signed with %s', async (_, change) => {
    const previous = digestOf(await text(checkpointKey(3)));
    await stand.putEvidence(checkpointKey(4), await resigned(3, { number: 4, previous, ...change }));
    expect((await stand.verify()).kinds).toEqual(['checkpoint-invalid']);
  });

  test('takes a tombstone’s signature for a checkpoint’s', async () => {
    const statement = { ...(await payload(3)), number: 4, previous: digestOf(await text(checkpointKey(3))) };
    await stand.putEvidence(checkpointKey(4), await stand.sign(statement, 'ledger-tombstone+jwt'));
    expect((await stand.verify()).kinds).toEqual(['checkpoint-invalid']);
  });

  test('leaves a gap in their numbers', async () => {
    const previous = digestOf(await text(checkpointKey(3)));
    await stand.putEvidence(checkpointKey(5), await resigned(3, { number: 5, previous }));
    expect((await stand.verify()).kinds).toEqual(['checkpoint-missing']);
  });

  test('cites an object that does not exist', async () => {
    const previous = digestOf(await text(checkpointKey(3)));
    const change = { number: 4, previous, changes: 'a'.repeat(64), root: 'b'.repeat(64) };
    await stand.putEvidence(checkpointKey(4), await resigned(3, change));
    const { found } = await stand.verify();
    expect(found.map(({ kind }) => kind)).toEqual(['evidence-missing', 'evidence-missing']);
  });
});

describe('what no key of the ledger has signed', () => {
  beforeEach(async () => {
    await stand.load([upTo(2), historyOf(2)]);
    await stand.checkpoint();
  });

  test('is stepped over, logged, and found; the next free number is taken', async () => {
    const { root, ...said } = await payload(1);
    const copy = { ...said, root, number: 3, previous: 'f'.repeat(64) };
    await stand.putEvidence(checkpointKey(2), 'garbage');
    await stand.putEvidence(checkpointKey(3), await stand.sign(copy, 'ledger-checkpoint+jwt', stand.foreignKey));
    await stand.putEvidence(checkpointKey(4), await text(checkpointKey(1)));
    await stand.putEvidence(checkpointKey(9_999_999_999), 'garbage');
    await stand.load([upTo(4)]);
    expect(await stand.checkpoint()).toMatchObject({ number: 5, changed: 1 });
    await stand.load([upTo(5)]);
    expect(await stand.checkpoint()).toMatchObject({ number: 6, changed: 1 });
    expect(stand.log.map(({ key }) => key).slice(0, 4)).toEqual([9_999_999_999, 4, 3, 2].map(checkpointKey));
    const { found, newest, checkpoints } = await stand.verify();
    expect([newest?.number, checkpoints]).toEqual([6, 3]);
    const far = ['checkpoint-missing', 'checkpoint-invalid'];
    expect(found.map(({ kind }) => kind)).toEqual([...Array(3).fill('checkpoint-invalid'), ...far]);
  });

  const signed = async (more: {
    number: number;
    at?: string;
    root?: string;
    changes?: string;
    previous?: string | null;
  }) => {
    const follows = {
      ...(await payload(1)),
      changes: merkleRoot([]),
      previous: digestOf(await text(checkpointKey(1))),
    };
    return stand.sign({ ...follows, ...more }, 'ledger-checkpoint+jwt');
  };

  test('nor what it signed of a time to come, or after a gap: no honest run does', async () => {
    await stand.putEvidence(checkpointKey(2), await signed({ number: 2, at: '9999-12-31T23:59:59.999Z' }));
    await stand.putEvidence(checkpointKey(4), await signed({ number: 4 }));
    await stand.putEvidence(checkpointKey(9_999_999_999), await signed({ number: 9_999_999_999 }));
    await stand.load([upTo(4)]);
    expect(await stand.checkpoint()).toMatchObject({ number: 3, changed: 1 });
    expect(stand.log.map(({ key }) => key)).toEqual([9_999_999_999, 4, 2].map(checkpointKey));
    // The gap is filled, and what was laid behind it still follows nothing.
    await stand.load([upTo(5)]);
    expect(await stand.checkpoint()).toMatchObject({ number: 5, changed: 1 });
    const { found, newest, checkpoints } = await stand.verify({ freshSince: new Date('2026-11-01T00:00:00.000Z') });
    expect([newest?.number, checkpoints]).toEqual([5, 3]);
    expect(found.map(({ says }) => says)).toContainEqual(expect.stringContaining('dated later than it was stored'));
    expect(found.map(({ kind }) => kind).filter((kind) => kind === 'checkpoint-invalid')).toHaveLength(3);
  });

  test('a time of another form is none, as times are compared as texts', async () => {
    await stand.putEvidence(checkpointKey(2), await signed({ number: 2, at: 'Sat, 31 Oct 2015 10:00:00 GMT' }));
    await stand.load([upTo(4)]);
    expect(await stand.checkpoint()).toMatchObject({ number: 3, changed: 1 });
    const { kinds, newest } = await stand.verify();
    expect([kinds, newest?.number]).toEqual([['checkpoint-invalid'], 3]);
  });

  test('however many it signed that follow none, each is read once', async () => {
    for (let number = 2; number < 20; number += 1)
      await stand.putEvidence(checkpointKey(number), await signed({ number, previous: 'f'.repeat(64) }));
    await stand.load([upTo(4)]);
    let read = 0;
    const send = (command: object) => {
      if (command instanceof GetObjectCommand && command.input.Key?.startsWith('ledger/checkpoints/')) read += 1;
      return stand.evidence.s3.send(command as never);
    };
    const s3 = { send } as unknown as typeof stand.evidence.s3;
    expect(await stand.checkpoint({ s3 })).toMatchObject({ number: 20, changed: 1 });
    expect(read).toBeLessThan(40);
  });

  test.each(['\ud800', 'x'.repeat(1100), '../checkpoints/0000000001'])(
    'roots that name no object of ours are none: %j',
    async (name) => {
      await stand.putEvidence(checkpointKey(2), await signed({ number: 2, root: name }));
      await stand.putEvidence(checkpointKey(3), await signed({ number: 3, changes: name }));
      await stand.load([upTo(4)]);
      expect(await stand.checkpoint()).toMatchObject({ number: 4, changed: 1 });
      expect((await stand.verify()).found.map(({ kind }) => kind)).toEqual(Array(2).fill('checkpoint-invalid'));
    },
  );

  test('a tree that names no shard of ours is missing', async () => {
    const tree = { '00': 'x'.repeat(1100) };
    await stand.putEvidence(treeKey(treeRoot(tree)), JSON.stringify(tree));
    await stand.putEvidence(checkpointKey(2), await signed({ number: 2, root: treeRoot(tree) }));
    expect((await stand.verify()).kinds).toEqual(['evidence-missing']);
    expect(await stand.checkpoint()).toMatchObject({ number: 3, changed: 2 });
  });

  test.each([
    'x',
    leafText({ userAgreement: 'zz#zz', sequence: 0.5, hash: 'a'.repeat(64) }),
    leafText({ userAgreement: 'zz#zz', sequence: 1, hash: 'a' }),
    leafText({ userAgreement: 'zz', sequence: 1, hash: 'a'.repeat(64) }),
  ])('content whose lines are no leaves is missing, and the check goes on: %s', async (line) => {
    const changes = merkleRoot([line]);
    const tree = { '00': changes };
    for (const key of [changesKey(changes), shardKey(changes)]) await stand.putEvidence(key, packLeaves([line]));
    await stand.putEvidence(treeKey(treeRoot(tree)), JSON.stringify(tree));
    await stand.putEvidence(checkpointKey(2), await signed({ number: 2, changes, root: treeRoot(tree) }));
    const { found } = await stand.verify();
    expect(found.map(({ kind }) => kind)).toEqual(['evidence-missing', 'evidence-missing']);
    expect(await stand.checkpoint()).toMatchObject({ number: 3, changed: 2 });
    expect((await stand.verify()).kinds).toEqual(['evidence-missing']);
  });

  test('what it signed without the tree, or over shards that nobody stored, ends nothing: all leaves are stated anew', async () => {
    await stand.putEvidence(checkpointKey(2), await signed({ number: 2, root: 'f'.repeat(64) }));
    await stand.load([upTo(4)]);
    expect(await stand.checkpoint()).toMatchObject({ number: 3, changed: 2 });
    const tree = { [shardOf(`${userId}#${agreementId}`)]: 'e'.repeat(64) };
    await stand.putEvidence(treeKey(treeRoot(tree)), JSON.stringify(tree));
    const previous = digestOf(await text(checkpointKey(3)));
    const { at } = (await payload(3)) as { at: string };
    await stand.putEvidence(checkpointKey(4), await signed({ number: 4, root: treeRoot(tree), previous, at }));
    await stand.load([upTo(5)]);
    expect(await stand.checkpoint()).toMatchObject({ number: 5, changed: 2 });
    expect(stand.log.map(({ message }) => message)).toEqual([
      'the tree of the last checkpoint is missing',
      'a shard of the last checkpoint is missing',
    ]);
    const { newest, kinds } = await stand.verify();
    expect(newest?.number).toBe(5);
    expect(kinds).not.toContain('checkpoint-invalid');
  });

  test('an overwritten tree or shard stops nothing: the signed version counts', async () => {
    const { s3, bucket } = stand.evidence;
    const { root } = await payload(1);
    const tree = JSON.parse(await text(treeKey(String(root)))) as Record<string, string>;
    for (const key of [treeKey(String(root)), ...Object.values(tree).map(shardKey)]) {
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: packLeaves([]) }));
    }
    await stand.load([upTo(3)]);
    expect(await stand.checkpoint()).toMatchObject({ number: 2, changed: 1, retracted: 0 });
    expect((await stand.verify()).found).toEqual([]);
  });

  test('a new key goes on from what the one before it signed, and not without knowing it', async () => {
    const { ledgerKey, foreignKey } = stand;
    const rotated = { keyArn: foreignKey.arn, earlierKeyArns: [ledgerKey.arn] };
    await stand.load([upTo(3)]);
    expect(await stand.checkpoint(rotated)).toMatchObject({ number: 2, changed: 1 });
    const keys = await stand.trust([ledgerKey.arn, foreignKey.arn]);
    expect(await stand.verify({ keys })).toMatchObject({ checkpoints: 2, found: [] });
  });

  test('garbage in the place of the very first one', async () => {
    const fresh = await openStand();
    await fresh.putEvidence(checkpointKey(1), 'garbage');
    await fresh.load([upTo(2)]);
    expect(await fresh.checkpoint()).toMatchObject({ number: 2 });
    await fresh.load([upTo(3)]);
    expect(await fresh.checkpoint()).toMatchObject({ number: 3, changed: 1 });
    expect((await fresh.verify()).kinds).toEqual(['checkpoint-invalid']);
    await fresh.close();
  });
});

test('more changes than one object holds are spread over the next checkpoints, and each of them is true', async () => {
  await stand.load([historyOf(1)]);
  await stand.checkpoint();
  const chains = Array.from({ length: 12 }, () => historyOf(2));
  await stand.load(chains);
  const first = await stand.checkpoint({ mostChanges: 5 });
  expect(first.deferred).toBeGreaterThan(0);
  expect(first.changed).toBeLessThanOrEqual(5);
  expect(first.chains).toBe(1 + first.changed);
  expect(first.records).toBe(1 + 2 * first.changed);
  expect((await stand.verify()).found).toEqual([]);
  let rounds = 0;
  let told = first;
  while (told.deferred > 0 && rounds < 12) {
    told = await stand.checkpoint({ mostChanges: 5 });
    rounds += 1;
  }
  expect(told).toMatchObject({ chains: 13, records: 25, deferred: 0 });
  await stand.drop(chains[7] ?? []);
  expect((await stand.verify()).kinds).toContain('anchored-record-missing');
});
