import type { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { stateOf } from '../../functions/consents/rules/record.ts';
import { judgePointer, recordKeyOf } from '../../functions/ledger/rules/watched-pointer.ts';
import { type DataConsent, watchPointers } from '../../functions/ledger/workflows/watch-pointers.ts';
import { dataSharing } from '../../functions/product.ts';
import type { Line } from '../../lib/runtime/log.ts';
import { readObject } from '../../lib/runtime/objects.ts';
import { historyOf } from './histories.ts';
import { openStand, type Stand } from './stand.ts';

/** Which changes of a pointer are an alarm, and of which consents the patient is told. */

let stand: Stand;
let told: string[] = [];
let patients: DataConsent[] = [];
beforeEach(async () => {
  stand = await openStand();
  [told, patients] = [[], []];
});
afterEach(() => stand.close());

const chain = historyOf(3, null, dataSharing) as [ConsentRecord, ConsentRecord, ConsentRecord];
const [first, second, third] = chain.map(stateOf) as [object, object, object];
const rowOf = (record: ConsentRecord) => ({ userAgreement: `${record.userId}#${dataSharing}`, ...record });

describe('of one change', () => {
  test('what a commit makes is fine, however late it is read', () => {
    expect(judgePointer({ before: null, after: first as never }, rowOf(chain[0]))).toBeNull();
    expect(judgePointer({ before: first as never, after: second as never }, rowOf(chain[1]))).toBeNull();
    // A restored table begins with the last one.
    expect(judgePointer({ before: null, after: third as never }, rowOf(chain[2]))).toBeNull();
    expect(judgePointer({ before: third as never, after: null }, { ...rowOf(chain[2]), expiresAt: 7 })).toBeNull();
  });

  test.each([
    ['no-record', null, first, null],
    ['no-record', second, third, null],
    ['not-its-record', first, { ...second, action: 'agreed' }, rowOf(chain[1])],
    ['not-its-record', first, { ...second, contentHash: 'another' }, rowOf(chain[1])],
    ['not-its-record', first, { ...second, anything: 1 }, rowOf(chain[1])],
    ['not-its-record', first, { userId: 'u', agreementId: dataSharing, recordedAt: 'x' }, rowOf(chain[1])],
    ['out-of-order', second, first, rowOf(chain[0])],
    ['out-of-order', first, third, rowOf(chain[2])],
    ['out-of-order', { ...second, sequence: 'x' }, third, rowOf(chain[2])],
    ['pointer-removed', third, null, rowOf(chain[2])],
    ['pointer-removed', third, null, null],
  ])('%s', (suspicion, before, after, record) => {
    expect(judgePointer({ before, after } as never, record)).toBe(suspicion);
  });

  test.each([
    ['a time that is no key', { ...first, recordedAt: ' ' }],
    ['no time', { ...first, recordedAt: null }],
    ['a user who is none', { ...first, userId: 'x'.repeat(2000) }],
  ])('nothing is looked up by %s', (_name, after) => {
    expect(recordKeyOf({ before: null, after })).toBeNull();
  });
});

function imageOf(row: object) {
  const attributeOf = (value: unknown) => (typeof value === 'number' ? { N: String(value) } : { S: String(value) });
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, attributeOf(value)]));
}

function change(before: object | null, after: object | null, eventID = 'event'): DynamoDBRecord {
  const images = { ...(before && { OldImage: imageOf(before) }), ...(after && { NewImage: imageOf(after) }) };
  return { eventID, dynamodb: { ApproximateCreationDateTime: 1_761_998_400, ...images } } as DynamoDBRecord;
}

async function watch(...records: DynamoDBRecord[]) {
  return watchWith(async (input) => void told.push(input.Message ?? ''), records);
}

async function watchWith(publish: (input: PublishCommand['input']) => Promise<void>, records: DynamoDBRecord[]) {
  const lines: Line[] = [];
  const counts: unknown[] = [];
  const send = ({ input }: PublishCommand) => publish(input);
  await watchPointers(records, {
    table: stand.tables.ConsentRecords,
    evidence: stand.evidence,
    operators: { client: { send } as unknown as SNSClient, topicArn: 'arn', environment: 'dev' },
    tell: async (consent) => void patients.push(consent),
    log: (line, metrics) => {
      lines.push(line);
      counts.push(metrics);
    },
  });
  return { lines, counts };
}

test('a batch: what is forged is kept with its record, counted and told, and names no patient', async () => {
  await stand.load([chain]);
  const forged = { ...third, sequence: 4 };
  const { lines, counts } = await watch(change(null, first, 'one'), change(third, forged, 'two'), change(third, first));
  expect(lines.map(({ suspicion }) => suspicion)).toEqual(['not-its-record', 'out-of-order']);
  expect(counts).toEqual([{ consentPointersTamperedWith: 1 }, { consentPointersTamperedWith: 1 }]);
  const [{ object }] = lines as [Line];
  expect(object).toMatch(/^pointer-changes\/.*two\.json$/);
  const { changes } = JSON.parse(String(await readObject(stand.evidence, String(object))));
  expect(changes).toMatchObject([
    { before: third, after: forged, record: rowOf(chain[2]) },
    { before: third, after: first, record: rowOf(chain[0]) },
  ]);
  expect(told).toHaveLength(1);
  for (const said of [JSON.stringify(lines), told.join()]) expect(said).not.toContain(chain[0].userId);
  expect(told.join()).toContain('docs/runbook.md#consent-pointers-tampered-with');
});

test('the patient is told also where the change is an alarm, if the check of a look may go by it', async () => {
  await stand.load([chain]);
  const { userId, recordedAt, hash } = chain[2];
  const consent = { userId, recordedAt, hash, eventId: expect.any(String) };
  const changes = [
    change(first, third),
    change(third, { ...third, anything: 1 }),
    change({ ...third, action: 'revoked' }, third),
  ];
  expect((await watch(...changes)).lines).toHaveLength(3);
  expect(patients).toEqual([consent, consent, consent]);
});

test('the patient is told also while nobody can tell the operators, and the batch comes again', async () => {
  await stand.load([chain]);
  const down = async () => {
    throw new Error('down');
  };
  await expect(watchWith(down, [change(first, third)])).rejects.toThrow('down');
  expect(patients).toEqual([expect.objectContaining({ recordedAt: chain[2].recordedAt })]);
});

test('the texts of a forged pointer are cut before they are logged', async () => {
  const { lines } = await watch(change(null, { ...first, agreementId: 'ä'.repeat(500), recordedAt: 'x'.repeat(900) }));
  expect(lines).toMatchObject([{ agreementId: '?'.repeat(64), recordedAt: 'x'.repeat(64) }]);
});

test('the patient is told of each pointer to a consent to share data, also before its record is there', async () => {
  const other = historyOf(1);
  const imported = historyOf(1, null, dataSharing, { source: 'imported' });
  const early = historyOf(1, null, dataSharing);
  await stand.load([chain, other, imported]);
  await watch(
    change(null, first),
    change(first, second),
    change(second, third),
    change(third, { ...third, sequence: 4 }),
    ...[other, imported, early].map(([record]) => change(null, stateOf(record as ConsentRecord))),
  );
  // No mail can be as long, and no record has such a key.
  await watch(change(null, { ...stateOf(early[0] as ConsentRecord), recordedAt: `2026-01-01 (${'x'.repeat(100)})` }));
  // The mail about the same consent is the same.
  const shared = [chain[0], chain[2], chain[2], imported[0] as ConsentRecord, early[0] as ConsentRecord];
  expect(patients).toEqual(
    shared.map(({ userId, recordedAt, hash }) => ({ userId, recordedAt, hash, eventId: expect.any(String) })),
  );
});
