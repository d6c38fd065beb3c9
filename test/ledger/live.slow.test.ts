import { randomUUID } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConsentRecord, ConsentState } from '../../functions/access/consent-states.ts';
import { decideAgreement, decideRevocation, type Shown } from '../../functions/consents/rules/consent.ts';
import { recordChange } from '../../functions/consents/workflows/record-change.ts';
import { handlesNamed } from '../tables.ts';
import { historyOf } from './histories.ts';
import { openStand, type Stand } from './stand.ts';

/** A check takes hours where there is much: users go on meanwhile, and it may be killed. */

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const shown: Shown = {
  versionId: 'marketing-1.0',
  contentHash: 'c'.repeat(64),
  locale: 'en',
  localeSource: 'stated',
  appVersion: null,
};

const lastRevoked = (state: ConsentState | null) => decideRevocation(state, []);

/** Agrees and revokes in turn, as the routes do. */
function consenter(userId: string) {
  let changes = 0;
  let last = Promise.resolve();
  const change = async () => {
    const decide = changes % 2 === 0 ? () => decideAgreement(null, shown, []) : lastRevoked;
    const at = { userId, agreementId: 'marketing', now: new Date(), requestId: 'request', decide };
    await recordChange(stand.tables, at, { id: randomUUID, pause: async () => {} });
    changes += 1;
  };
  return {
    changes: () => changes,
    /** The next change, when the one before is done. */
    next: () => {
      last = last.then(change);
      return last;
    },
  };
}

/** The tables by a client whose scans are these, in small pages. */
function scannedBy(scan: (small: ScanCommand, client: DynamoDBDocumentClient) => Promise<unknown>) {
  const client = new Proxy(stand.tables.ConsentRecords.client, {
    get: (target, name) => {
      if (name !== 'send') return Reflect.get(target, name);
      return (command: unknown) => {
        if (!(command instanceof ScanCommand)) return target.send(command as never);
        return scan(new ScanCommand({ ...command.input, Limit: 15 }), target);
      };
    },
  });
  return handlesNamed(client, ['ConsentRecords', 'ConsentStates']);
}

/** The tables, beside each of whose scans something else goes on. */
function scansBeside(meanwhile: () => Promise<unknown>) {
  return scannedBy(async (scan, client) => (await Promise.all([client.send(scan), meanwhile()]))[0]);
}

test('users who consent while it runs are no finding, and checkpoints that come meanwhile neither', async () => {
  await stand.load(Array.from({ length: 40 }, (_, index) => historyOf(1 + (index % 5))));
  await stand.checkpoint();
  const users = Array.from({ length: 6 }, () => consenter(randomUUID()));
  const tables = scansBeside(() => Promise.all(users.map(({ next }) => next())));
  // Two at once: one of them may find its number taken.
  const checkpoints = Promise.allSettled([stand.checkpoint(), stand.checkpoint()]);
  const found = [];
  for (let round = 0; round < 2; round += 1) found.push(...(await stand.verify({ tables, segments: 2 })).found);
  expect(Math.min(...users.map(({ changes }) => changes()))).toBeGreaterThan(2);
  expect((await checkpoints).map(({ status }) => status)).toContain('fulfilled');
  expect(found).toEqual([]);
  expect((await stand.verify()).found).toEqual([]);
});

/** The tables, whose scans end at some point, as a killed process's do. */
function scansUntil(most: number, seen: object[] = []) {
  const tables = scannedBy(async (scan, client) => {
    if (seen.length >= most) throw new Error('killed');
    seen.push(scan.input.ExclusiveStartKey ?? {});
    return client.send(scan);
  });
  return { tables, seen };
}

test('a killed check continues where it was, finds the same, and does not begin again', async () => {
  const chains = Array.from({ length: 80 }, (_, index) => historyOf(1 + (index % 6)));
  await stand.load(chains);
  await stand.checkpoint();
  const [broken = [], lagging = []] = chains.slice(4);
  await stand.drop([broken[2] as ConsentRecord]);
  await stand.putPointer({ ...lagging[0] });
  const whole = await stand.verify({ ...scansUntil(Number.POSITIVE_INFINITY), segments: 2 });
  const all = scansUntil(Number.POSITIVE_INFINITY);
  const directory = stand.directory();
  await stand.verify({ tables: all.tables, segments: 2, directory: stand.directory() });
  const read: object[] = [];
  for (const most of [3, 4, 5]) {
    const { tables, seen } = scansUntil(most);
    const step = stand.verify({ tables, segments: 2, directory, saveMs: 0 });
    await expect(step).rejects.toThrow('killed');
    read.push(...seen);
  }
  const rest = scansUntil(Number.POSITIVE_INFINITY);
  const resumed = await stand.verify({ tables: rest.tables, segments: 2, directory });
  const place = ({ kind, userId, sequence }: (typeof resumed.found)[number]) => `${kind} ${userId} ${sequence}`;
  expect(resumed.found.map(place).toSorted()).toEqual(whole.found.map(place).toSorted());
  expect(whole.kinds).toContain('record-missing');
  const { records, chains: counted, pointers } = whole;
  expect({ records: resumed.records, chains: resumed.chains, pointers: resumed.pointers }).toEqual({
    records,
    chains: counted,
    pointers,
  });
  expect(rest.seen.length).toBeLessThan(all.seen.length);
});

test('a check that is done leaves nothing behind, so that the next one is another', async () => {
  const chain = historyOf(3);
  await stand.load([chain]);
  await stand.checkpoint();
  const directory = stand.directory();
  expect((await stand.verify({ directory })).found).toEqual([]);
  expect(existsSync(directory)).toBe(false);
  await stand.drop([chain[1] as ConsentRecord]);
  expect((await stand.verify({ directory })).kinds).toEqual(['record-missing']);
});

test('a checkpoint that came while a check was dead is heeded', async () => {
  await stand.load(Array.from({ length: 30 }, () => historyOf(2)));
  await stand.checkpoint();
  const directory = stand.directory();
  const dead = { ...stand.evidence, s3: failingAfter(20) };
  await expect(stand.verify({ directory, evidence: dead, saveMs: 0 })).rejects.toThrow('killed');
  const late = historyOf(2);
  await stand.load([late]);
  await stand.checkpoint();
  await stand.drop(late);
  await stand.dropPointer(late[0] as ConsentRecord);
  const { kinds, newest } = await stand.verify({ directory });
  expect({ kinds, newest: newest?.number }).toEqual({ kinds: ['anchored-record-missing'], newest: 2 });
});

/** A client of S3 whose calls fail from some point on. */
function failingAfter(most: number) {
  let calls = 0;
  return new Proxy(stand.evidence.s3, {
    get: (target, name) => {
      if (name !== 'send') return Reflect.get(target, name);
      return (command: never) => {
        calls += 1;
        if (calls > most) throw new Error('killed');
        return target.send(command);
      };
    },
  });
}

test('what a killed process wrote after its last note is cut off', async () => {
  await stand.load(Array.from({ length: 40 }, () => historyOf(3)));
  await stand.checkpoint();
  const [early, late] = [stand.directory(), stand.directory()];
  const { tables } = scansUntil(2);
  await expect(stand.verify({ tables, directory: early, segments: 1, saveMs: 0 })).rejects.toThrow('killed');
  mkdirSync(late);
  cpSync(early, late, { recursive: true });
  const later = { tables: scansUntil(5).tables, directory: late, segments: 1, saveMs: 0 };
  await expect(stand.verify(later)).rejects.toThrow('killed');
  // The files of the later one under the state of the earlier one.
  copyFileSync(join(early, 'state.json'), join(late, 'state.json'));
  const { found, records } = await stand.verify({ directory: late, segments: 1 });
  expect({ found, records }).toEqual({ found: [], records: 120 });
});

test('a folder can be used for only one check', async () => {
  await stand.load([historyOf(1)]);
  await stand.checkpoint();
  const directory = stand.directory();
  const begun = { directory, tables: scansUntil(0).tables, saveMs: 0 };
  await expect(
    stand.verify({ directory, evidence: { ...stand.evidence, s3: failingAfter(5) }, saveMs: 0 }),
  ).rejects.toThrow('killed');
  await expect(stand.verify({ ...begun, segments: 5 })).rejects.toThrow('the work of another check');
  await expect(stand.verify({ ...begun, environment: 'prod' })).rejects.toThrow('the work of another check');
  await expect(stand.verify({ ...begun, withoutCheckpoint: true })).rejects.toThrow('the work of another check');
});
