import type { S3Client } from '@aws-sdk/client-s3';
import type { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { type AccessLogEntry, lookExpiry, lookIdAt } from '../../functions/access/data-subject.ts';
import { watchedLooks } from '../../functions/access-log/workflows/watched-looks.ts';
import { auditEvent } from '../../functions/audit/rules/audit-event.ts';
import { watchedEvents } from '../../functions/audit/workflows/watched-events.ts';
import { skewMs } from '../../functions/evidence/rules/row-change.ts';
import { type WatchedAppends, watchAppends } from '../../functions/evidence/stores/watch-appended.ts';
import { imageOf } from './image-of.ts';

/** Which changes of the audit events and of the access log are an alarm, and that none is lost. */

const committed = Date.parse('2026-11-01T12:00:00.000Z');
const byTimeToLive = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
const action = { name: 'group.created' } as Parameters<typeof auditEvent>[0]['action'];

function eventAt(ms: number) {
  const said = { application: 'medinfo', actor: 'admin', subject: 'group/1', requestId: 'r', before: null };
  const random = '0123abcd-4567-4000-8000-000000000000';
  return { ...auditEvent({ ...said, action, after: { a: 1 }, realNow: new Date(ms), random }), action: action.name };
}

function lookAt(ms: number): AccessLogEntry {
  const at = new Date(ms).toISOString();
  return {
    ...{ userId: 'patient-of-nobody', lookId: `${lookIdAt(at)}0123456789abcdef`, at, by: 'physician', name: 'Dr. Ada' },
    ...{ roles: ['physician'], siteId: 'site', relation: 'care', action: 'GET /x', agreementId: null },
    ...{ consentRecordId: null, requestId: 'r', expiresAt: lookExpiry(new Date(ms)) },
  };
}

function change(before: object | null, after: object | null, userIdentity?: object, at = committed): DynamoDBRecord {
  const images = { ...(before && { OldImage: imageOf(before) }), ...(after && { NewImage: imageOf(after) }) };
  const dynamodb = { ApproximateCreationDateTime: Math.floor(at / 1000), ...images };
  return { eventID: 'event', dynamodb, ...(userIdentity && { userIdentity }) } as unknown as DynamoDBRecord;
}

/** @param failing the service that answers nothing */
async function watch(records: DynamoDBRecord[], watched: WatchedAppends, failing?: 's3' | 'sns') {
  const lines: { suspicion?: unknown; object?: unknown; metrics: object | undefined }[] = [];
  const told: string[] = [];
  const stored: { Key: string; Body: string }[] = [];
  const refuse = (service: string) => {
    if (service === failing) throw new Error(`${service} is down`);
  };
  const s3 = async ({ input }: { input: { Key: string; Body: string } }) => {
    refuse('s3');
    stored.push(input);
  };
  const sns = async ({ input }: PublishCommand) => {
    refuse('sns');
    told.push(input.Message ?? '');
  };
  const watching = watchAppends(records, watched, {
    evidence: { s3: { send: s3 } as unknown as S3Client, bucket: 'evidence' },
    operators: { client: { send: sns } as unknown as SNSClient, topicArn: 'arn', environment: 'prod' },
    log: (line, metrics) => void lines.push({ ...line, metrics }),
  });
  const error = await watching.then(
    () => null,
    (thrown: Error) => thrown.message,
  );
  return { suspicions: lines.map(({ suspicion }) => suspicion), lines, told, stored, error };
}

const event = eventAt(committed);
const look = lookAt(committed);
const aged = lookAt(Date.parse('2023-11-01T12:00:00.000Z'));
const aYear = 365 * 86_400_000;

describe.each<[string, WatchedAppends, object, (ms: number) => object]>([
  ['an audit event', watchedEvents, event, eventAt],
  ['a look', watchedLooks, look, lookAt],
])('%s', (_, watched, row, rowAt) => {
  test('that is appended is no finding, nor is the same put once more', async () => {
    const newer = { ...row, more: 'of a newer version' };
    const fine = [change(null, row), change(row, row), change(null, newer)];
    expect(await watch(fine, watched)).toMatchObject({ suspicions: [], told: [], stored: [] });
  });

  test('that is changed, removed, incomplete or of another time is one', async () => {
    const { requestId: _, ...without } = row as { requestId: string };
    const suspicious: (readonly [string, DynamoDBRecord])[] = [
      ['changed', change(row, { ...row, requestId: 'another' })],
      ['changed', change(row, without)],
      ['removed', change(row, null)],
      ['removed', change(row, null, { type: 'Service', principalId: 'other' })],
      ['removed-early', change(row, null, byTimeToLive)],
      ['not-a-row', change(null, without)],
      ['not-a-row', change(null, { ...row, at: '2026-11-01T12:00:00Z' })],
      ['not-a-row', change(null, { ...row, at: 'yesterday' })],
      ['not-a-row', change(null, { ...row, at: 5 })],
      ...(['action', 'requestId'] as const).map((name) => ['not-a-row', change(null, { ...row, [name]: 1 })] as const),
      ['not-a-row', change(null, { ...row, before: 'x', roles: 'x' })],
      ['not-a-row', change(null, { ...row, eventId: 'z', lookId: 'z' })],
      ['backdated', change(null, rowAt(committed - skewMs - 1))],
      ['postdated', change(null, rowAt(committed + skewMs + 1))],
    ];
    const found = await watch(
      suspicious.map(([, one]) => one),
      watched,
    );
    expect(found.suspicions).toEqual(suspicious.map(([suspicion]) => suspicion));
    for (const { metrics } of found.lines) expect(metrics).toEqual({ [watched.metric]: 1 });
    const within = [change(null, rowAt(committed - skewMs)), change(null, rowAt(committed + skewMs))];
    expect((await watch(within, watched)).suspicions).toEqual([]);
  });

  test('is kept as it was, once for a batch, and told without what identifies a person', async () => {
    const forged = { ...row, requestId: 'another' };
    const found = await watch([change(row, forged), change(row, null)], watched);
    const [{ Key, Body } = { Key: '', Body: '' }] = found.stored;
    expect(found.stored).toHaveLength(1);
    expect(Key).toBe(`${watched.prefix}2026-11-01T12:00:00.000Z-event.json`);
    expect(JSON.parse(Body).changes).toMatchObject([
      { suspicion: 'changed', before: imageOf(row), after: imageOf(forged) },
      { suspicion: 'removed', before: imageOf(row), after: null },
    ]);
    for (const { object } of found.lines) expect(object).toBe(Key);
    expect(found.told).toHaveLength(1);
    expect(found.told[0]).toContain(`docs/runbook.md#${watched.runbook}`);
    for (const text of [found.told.join(), JSON.stringify(found.lines)]) {
      for (const name of ['patient-of-nobody', 'physician', 'Dr. Ada']) expect(text).not.toContain(name);
    }
  });

  test.each(['s3', 'sns'] as const)('is not lost while %s is down: the batch comes again', async (service) => {
    const found = await watch([change(row, null)], watched, service);
    expect(found.error).toBe(`${service} is down`);
    // It counts only what is kept.
    if (service === 's3') expect(found.lines).toEqual([]);
    expect((await watch([change(row, null)], watched)).stored).toHaveLength(1);
  });
});

test('an audit event is kept for good', async () => {
  const expiring = { ...event, expiresAt: lookExpiry(new Date(committed)) };
  expect((await watch([change(null, expiring)], watchedEvents)).suspicions).toEqual(['wrong-expiry']);
  const later = committed + 20 * aYear;
  expect((await watch([change(expiring, null, byTimeToLive, later)], watchedEvents)).suspicions).toEqual([
    'removed-early',
  ]);
});

test('a look has ids and texts as the function has them that writes it', async () => {
  const wrong = [
    ...['siteId', 'agreementId', 'consentRecordId'].flatMap((name) =>
      ['', 'x'.repeat(65), 'a b', '123456789012345678901234567890'].map((value) => ({ [name]: value })),
    ),
    ...['userId', 'by', 'name', 'action', 'requestId'].map((name) => ({ [name]: 'x'.repeat(3000) })),
    ...[['x'.repeat(3000)], Array(100).fill('physician')].map((roles) => ({ roles })),
    { relation: 'friend' },
  ];
  const planted = wrong.map((more) => change(null, { ...look, ...more }));
  expect((await watch(planted, watchedLooks)).suspicions).toEqual(wrong.map(() => 'not-a-row'));
  const [agreementId, consentRecordId] = ['data-sharing', '01a2021a-c101-7e0b-9c5e-2f4d3b1a6c70'];
  const right = [
    { siteId: '01a2021a-c101-7e0b-9c5e-2f4d3b1a6c70', agreementId, consentRecordId },
    { siteId: null, relation: null, name: null, roles: [] },
  ].map((more) => change(null, { ...look, ...more }));
  expect((await watch(right, watchedLooks)).suspicions).toEqual([]);
});

test('a look expires after three years, no second earlier or later', async () => {
  const planted = (expiresAt: unknown) => change(null, { ...look, expiresAt });
  const wrong = [1, -1].map((seconds) => planted(look.expiresAt + seconds));
  const found = await watch([...wrong, planted('never'), planted(null), planted(committed / 1000)], watchedLooks);
  expect(found.suspicions).toEqual(Array(5).fill('wrong-expiry'));
  const endOf = ({ expiresAt }: AccessLogEntry) => expiresAt * 1000;
  const goes = (row: AccessLogEntry, at: number) => change(row, null, byTimeToLive, at);
  const fine = [goes(aged, endOf(aged)), goes(aged, endOf(aged) + 2 * 86_400_000)];
  expect((await watch(fine, watchedLooks)).suspicions).toEqual([]);
  const early = [goes(aged, endOf(aged) - skewMs - 1000), goes({ ...aged, expiresAt: 1 }, endOf(aged))];
  expect((await watch(early, watchedLooks)).suspicions).toEqual(['removed-early', 'removed-early']);
  // As somebody who may delete it would do it, it is found at any time.
  expect((await watch([change(aged, null, undefined, endOf(aged))], watchedLooks)).suspicions).toEqual(['removed']);
});
