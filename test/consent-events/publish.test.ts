import type { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import {
  consentChangedEventOf,
  consentEventOf,
  revocationIn,
} from '../../functions/consent-events/rules/consent-event.ts';
import { accountEventOf } from '../../functions/consent-events/rules/ending-event.ts';
import { publishEvents } from '../../functions/consent-events/stores/event-bus.ts';
import type { Line } from '../../lib/runtime/log.ts';

const image = (recordId: string, sequence = 1) => ({
  recordId: { S: recordId },
  userId: { S: 'u' },
  agreementId: { S: 'marketing' },
  versionId: { S: 'marketing-1.0' },
  action: { S: 'revoked' },
  recordedAt: { S: '2026-01-02T03:04:05.678Z' },
  sequence: { N: String(sequence) },
  source: { S: 'user' },
});
const record = (number: number, dynamodb: object = { NewImage: image(`r${number}`) }) =>
  ({ eventName: 'INSERT', dynamodb: { SequenceNumber: String(number), ...dynamodb } }) as DynamoDBRecord;

/** An EventBridge that refuses the events of these records. */
function bus(...refused: string[]) {
  const put: { detail: { recordId: string }; size: number }[] = [];
  const client = {
    send: async ({ input }: PutEventsCommand) => ({
      Entries: input.Entries?.map(({ Detail = '' }) => {
        const detail = JSON.parse(Detail);
        if (refused.includes(detail.recordId)) return { ErrorCode: 'InternalFailure' };
        put.push({ detail, size: input.Entries?.length ?? 0 });
        return { EventId: detail.recordId };
      }),
    }),
  };
  const setAside: unknown[] = [];
  const to = {
    client: client as unknown as EventBridgeClient,
    eventBus: 'b',
    environment: 'dev',
    eventOf: consentChangedEventOf,
    log: (line: Line, metrics?: object) => metrics && setAside.push([line.level, line.sequenceNumber, metrics]),
  };
  return { put, setAside, to };
}

describe('publishing', () => {
  test('every new record, in order, at most ten to a request', async () => {
    const { put, to } = bus();
    const records = Array.from({ length: 23 }, (_, index) => record(index));
    expect(await publishEvents(records, to)).toBeNull();
    expect(put.map(({ detail }) => detail.recordId)).toEqual(records.map((_, index) => `r${index}`));
    expect(Math.max(...put.map(({ size }) => size))).toBe(10);
  });

  test('an event that is not taken is where the batch begins again', async () => {
    const { put, to } = bus('r12');
    const records = Array.from({ length: 30 }, (_, index) => record(index));
    expect(await publishEvents(records, to)).toBe('12');
    expect(put.map(({ detail }) => detail.recordId)).not.toContain('r20');
  });

  test('what cannot be understood is set aside, and holds up nothing', async () => {
    const { put, setAside, to } = bus();
    const broken = [
      record(2, { NewImage: { ...image('r2'), action: { S: 'forgotten' } } }),
      record(3, { NewImage: { ...image('r3'), recordedAt: { S: 'once' } } }),
      // EventBridge would refuse the request with it, and so all others, for a day.
      record(5, { NewImage: { ...image('r5'), versionId: { S: '\u0001'.repeat(300_000) } } }),
    ];
    expect(await publishEvents([record(1), ...broken, record(4)], to)).toBeNull();
    expect(put.map(({ detail }) => detail.recordId)).toEqual(['r1', 'r4']);
    expect(setAside).toEqual([
      ['ERROR', '2', { recordsSetAside: 1 }],
      ['ERROR', '3', { recordsSetAside: 1 }],
      ['ERROR', '5', { recordsSetAside: 1 }],
    ]);
  });

  test('an expiry has no event', async () => {
    const { put, to } = bus();
    const changed = record(1, { OldImage: image('r1'), NewImage: { ...image('r1'), expiresAt: { N: '1' } } });
    const gone = record(2, { OldImage: image('r2') });
    expect(await publishEvents([changed, gone], to)).toBeNull();
    expect(put).toEqual([]);
  });
});

test.each(['recordId', 'userId', 'agreementId', 'versionId', 'action', 'recordedAt', 'sequence', 'source'])(
  'a record without %s is none',
  (name) => {
    const { [name as 'recordId']: _gone, ...rest } = image('r');
    expect(() => consentEventOf({ NewImage: rest })).toThrow();
  },
);

describe('of accounts', () => {
  const endedAt = '2026-01-02T03:04:05.678Z';
  const row = (fields: object = {}) => ({
    kind: { S: 'user' },
    erasureKey: { S: 'u' },
    userId: { S: 'u' },
    reason: { S: 'case 7' },
    ...fields,
  });
  const closed = row({ requestedAt: { S: endedAt }, endedAt: { S: '2026-01-02T03:04:05.670Z' }, settledAt: {} });
  const ended = { ...closed, endedAt: { S: endedAt }, settledAt: { S: endedAt } };
  const restored = row({ requestedAt: {}, endedAt: {}, settledAt: {}, restoredAt: { S: '2026-01-03T03:04:05.678Z' } });

  test('a request ends all consents of the user, and says no more', () => {
    const told = { detailType: 'ConsentsEnded', time: endedAt, detail: { userId: 'u', endedAt } };
    expect(accountEventOf({ NewImage: ended })).toEqual(told);
    expect(accountEventOf({ OldImage: closed, NewImage: ended })).toEqual(told);
    // Under a hold before, and after a restoration.
    expect(accountEventOf({ OldImage: row({ endedAt: {} }), NewImage: ended })).toEqual(told);
    expect(accountEventOf({ OldImage: restored, NewImage: { ...restored, ...ended } })).toEqual(told);
  });

  test('an end that a restore from a backup has moved to a later record is sent again', () => {
    const later = '2026-01-02T03:04:05.700Z';
    const moved = { ...ended, endedAt: { S: later } };
    expect(accountEventOf({ OldImage: ended, NewImage: moved })).toMatchObject({
      time: later,
      detail: { userId: 'u' },
    });
  });

  test('a restoration says which consents stay ended', () => {
    expect(accountEventOf({ OldImage: ended, NewImage: restored })).toEqual({
      detailType: 'AccountRestored',
      time: '2026-01-03T03:04:05.678Z',
      detail: { userId: 'u', restoredAt: '2026-01-03T03:04:05.678Z', endedAt },
    });
  });

  test.each<[string, Parameters<typeof accountEventOf>[0]]>([
    ['a request whose end is not final yet', { NewImage: closed }],
    ['a step on the way', { OldImage: ended, NewImage: { ...ended, closedAt: { S: endedAt } } }],
    ['a hold', { NewImage: row({ endedAt: {} }) }],
    ['a hold after a restoration', { OldImage: restored, NewImage: { ...restored, legalHold: {} } }],
    ['a queue', { NewImage: { ...ended, kind: { S: 'due#sleepcare' } } }],
    ['a row that goes', { OldImage: ended }],
  ])('%s has no event', (_name, change) => {
    expect(accountEventOf(change)).toBeNull();
  });

  test.each<Record<string, object>>([{ endedAt: { S: 'once' } }, { userId: {} }, { userId: { S: 'v' } }])(
    '%j is not understood',
    (wrong) => {
      expect(() => accountEventOf({ NewImage: { ...ended, ...wrong } })).toThrow();
    },
  );
});

describe('a revocation that is handed on', () => {
  test('is a new record that revokes, and nothing else', () => {
    const { userId, agreementId, recordedAt } = image('r');
    expect(revocationIn({ NewImage: image('r', 2) })).toEqual({
      ...{ userId: userId.S, agreementId: agreementId.S, sequence: 2, recordedAt: recordedAt.S },
    });
    expect(revocationIn({ NewImage: { ...image('r'), action: { S: 'agreed' } } })).toBeNull();
    expect(revocationIn({ OldImage: image('r') })).toBeNull();
    expect(revocationIn({ OldImage: image('r'), NewImage: { ...image('r'), action: { S: 'revoked' } } })).toBeNull();
  });

  test.each([
    ['action', { S: 'other' }],
    ['sequence', { N: 'x' }],
    ['recordedAt', { S: 'soon' }],
  ])('a row of another form is none: %s', (field, value) => {
    expect(revocationIn({ NewImage: { ...image('r'), [field]: value } })).toBeNull();
  });
});
