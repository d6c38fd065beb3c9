import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetPublicKeyCommand, KMSClient, SignCommand, VerifyCommand } from '@aws-sdk/client-kms';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Backend } from '../../../lib/local/backend.ts';
import { eventually } from '../../eventually.ts';
import { get, ref } from '../template/small-parts.ts';
import { type Change, smallAssembly, smallBackend } from './small-backend.ts';

/** Keys, buses, rules and the time to live of a template, in a whole backend. */

const set =
  (name: string, properties: Record<string, unknown>): Change =>
  (resources) => {
    Object.assign(resources[name]?.Properties ?? {}, properties);
  };

/** The addresses are the ones that functions are told. */
async function addresses({ invoke, model }: Backend) {
  const result = await invoke(model().functions[0]?.arn ?? '', {});
  if (!result.ok) throw new Error(result.errorMessage);
  return result.payload as { kms: string; events: string };
}

type Credentials = { accessKeyId: string; secretAccessKey: string };

async function kmsOf(backend: Backend, credentials: Credentials) {
  const { kms: endpoint } = await addresses(backend);
  const client = new KMSClient({ endpoint, region: 'eu-central-1', credentials, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return client;
}

const sign = () =>
  new SignCommand({ KeyId: 'alias/receipts', Message: Buffer.alloc(32), MessageType: 'DIGEST', SigningAlgorithm });
const SigningAlgorithm = 'ECDSA_SHA_256';

describe('a key', () => {
  test('signs for whom the template lets', async () => {
    const { backend, asFunction } = await smallBackend();
    const client = await kmsOf(backend, asFunction);
    expect(backend.data.kmsEndpoint).toBe((await addresses(backend)).kms);
    const [key] = backend.model().keys;
    await expect(client.send(sign())).resolves.toMatchObject({ KeyId: key?.arn });
    await expect(client.send(new GetPublicKeyCommand({ KeyId: key?.id }))).resolves.toBeTruthy();
    const question = {
      KeyId: key?.id,
      Message: Buffer.alloc(1),
      Signature: Buffer.alloc(1),
      SigningAlgorithm,
    } as const;
    await expect(client.send(new VerifyCommand(question))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(`kms:Verify on resource: ${key?.arn} because no identity-based policy allows`),
    });
  });

  test.each<[string, object[], string]>([
    ['leaves nothing to IAM', [], 'because no resource-based policy allows the kms:Sign action'],
    [
      'denies it',
      [
        { Effect: 'Allow', Principal: '*', Action: 'kms:*', Resource: '*' },
        { Effect: 'Deny', Principal: '*', Action: 'kms:Sign', Resource: '*' },
      ],
      'with an explicit deny in a resource-based policy',
    ],
  ])('whose own policy %s does not', async (_, Statement, reason) => {
    const change = set('SigningKey', { KeyPolicy: { Statement } });
    const { backend, asFunction } = await smallBackend({ change });
    const client = await kmsOf(backend, asFunction);
    await expect(client.send(sign())).rejects.toThrow(reason);
  });

  test('of another kind that signs is refused in words', async () => {
    await expect(smallBackend({ change: set('SigningKey', { KeySpec: 'RSA_2048' }) })).rejects.toThrow(
      'Small/SigningKey: only ECC_NIST_P256 signs on this machine, not RSA_2048',
    );
  });
});

test('a bus takes events of whom the template lets, and shows them', async () => {
  const { backend, asFunction } = await smallBackend();
  const { events: endpoint } = await addresses(backend);
  const client = new EventBridgeClient({ endpoint, region: 'eu-central-1', credentials: asFunction, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  const put = (EventBusName: string) =>
    client.send(new PutEventsCommand({ Entries: [{ EventBusName, Source: 's', DetailType: 'd', Detail: '{}' }] }));
  await put('consents');
  await expect(put('default')).rejects.toThrow('events:PutEvents on resource: arn:aws:events:');
  expect(backend.events()).toMatchObject([{ bus: 'consents', event: { 'detail-type': 'd' } }]);
});

describe('a scheduled rule', () => {
  const [rule] = ['arn:aws:events:eu-central-1:000000000000:rule/Small-SweepRule-'];

  test('is run at once for who asks', async () => {
    const { backend } = await smallBackend();
    expect(backend.model().schedules).toMatchObject([{ everyMs: 300_000, operation: 'sweep', isRefused: false }]);
    const [run] = await backend.runSchedule('sweep');
    expect(run?.rule).toBe('Small/SweepRule.Targets[0]');
    expect(run?.result).toMatchObject({
      ok: true,
      payload: { event: { 'detail-type': 'Scheduled Event', resources: [expect.stringContaining(rule ?? '')] } },
    });
  });

  test('whose function throws answers with the error', async () => {
    const Targets = [{ Arn: { 'Fn::GetAtt': ['Sweep', 'Arn'] }, Input: '{"detail":{"fails":true}}' }];
    const { backend } = await smallBackend({ change: set('SweepRule', { Targets }) });
    expect(await backend.runSchedule('sweep')).toMatchObject([
      { result: { ok: false, errorMessage: 'as the event asked' } },
    ]);
  });

  test.each<[string, Change]>([
    ['without a permission', (resources) => delete resources.SweepPermission],
    ['with another rule’s', set('SweepPermission', { SourceArn: 'arn:aws:events:eu-central-1:000000000000:rule/x' })],
    ['with another service’s', set('SweepPermission', { Principal: 's3.amazonaws.com' })],
  ])('%s may not invoke', async (_, change) => {
    const { backend } = await smallBackend({ change });
    expect(await backend.runSchedule('sweep')).toMatchObject([{ result: { errorType: 'AccessDeniedException' } }]);
  });

  test.each(['rate(1 minutes)', 'rate(5 minute)', 'rate(0 minutes)', 'cron(0 3 * * ? *)'])(
    '%s is refused in words',
    async (ScheduleExpression) => {
      await expect(smallBackend({ change: set('SweepRule', { ScheduleExpression }) })).rejects.toThrow(
        'Small/SweepRule: only a schedule as rate(5 minutes) runs on this machine',
      );
    },
  );

  test('that is disabled does not run', async () => {
    const { backend } = await smallBackend({ change: set('SweepRule', { State: 'DISABLED' }) });
    await expect(backend.runSchedule('sweep')).rejects.toThrow('the template has no schedule of sweep');
  });
});

test('another template brings its keys, buses and rules', async () => {
  const { backend, asFunction } = await smallBackend({ change: set('SweepRule', { State: 'DISABLED' }) });
  const client = await kmsOf(backend, asFunction);
  const first = await client.send(new GetPublicKeyCommand({ KeyId: 'alias/receipts' }));
  await backend.adopt(
    smallAssembly((resources) => {
      set('SweepRule', { ScheduleExpression: 'rate(2 hours)' })(resources);
      set('SigningAlias', { AliasName: 'alias/renamed' })(resources);
      set('Events', { Name: 'renamed' })(resources);
    }),
  );
  expect(backend.model().schedules).toMatchObject([{ everyMs: 7_200_000 }]);
  expect(await backend.runSchedule('sweep')).toMatchObject([{ result: { ok: true } }]);
  const renamed = await client.send(new GetPublicKeyCommand({ KeyId: 'alias/renamed' }));
  expect(renamed.PublicKey).toEqual(first.PublicKey);
  await expect(client.send(sign())).rejects.toMatchObject({ name: 'AccessDeniedException' });
  expect(backend.model().eventBuses.map(({ name }) => name)).toEqual(['default', 'renamed']);
});

describe('a row past its time to live', () => {
  const now = Date.UTC(2026, 0, 1);
  const seconds = (more: number) => ({ N: String(now / 1000 + more) });

  async function filled(change?: Change) {
    const lines: string[] = [];
    const small = await smallBackend({ onLog: (_fn, _id, line) => lines.push(line), ...(change && { change }) });
    const { endpoint, region, credentials, tables } = small.backend.data;
    const client = new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 });
    onTestFinished(() => client.destroy());
    const TableName = tables('Ledger');
    for (const [id, expiresAt] of [['past', seconds(-1)] as const, ['future', seconds(1)] as const]) {
      await client.send(new PutItemCommand({ TableName, Item: { id: { S: id }, expiresAt } }));
    }
    const ids = async () => (await client.send(new ScanCommand({ TableName }))).Items?.map(({ id }) => id?.S).sort();
    return { ...small, ids, lines };
  }

  test('goes, though the table’s policy denies deletes to all who are no service', async () => {
    const { backend, ids } = await filled();
    expect(await backend.sweepExpired(now)).toBe(1);
    expect(await ids()).toEqual(['future']);
    expect(await backend.sweepExpired(now + 2000)).toBe(1);
    expect(await ids()).toEqual([]);
  });

  test('goes once a later template asks for it', async () => {
    const { backend, ids } = await filled((resources) => delete resources.Ledger?.Properties?.TimeToLiveSpecification);
    expect(await backend.sweepExpired(now)).toBe(0);
    await backend.adopt(smallAssembly());
    expect(await backend.sweepExpired(now)).toBe(1);
    expect(await ids()).toEqual(['future']);
  });

  test('is shown to functions as deleted by DynamoDB', async () => {
    const { backend, lines } = await filled((resources) => {
      resources.Source = {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          FunctionName: ref('Sweep'),
          EventSourceArn: get('Ledger', 'StreamArn'),
          StartingPosition: 'TRIM_HORIZON',
        },
      };
    });
    await backend.sweepExpired(now);
    const removals = () =>
      lines
        .filter((line) => line.includes('"REMOVE"'))
        .flatMap((line) => JSON.parse(line.slice(line.indexOf('['))) as Record<string, unknown>[])
        .filter(({ eventName }) => eventName === 'REMOVE');
    await eventually(() => expect(removals()).toHaveLength(1));
    expect(removals()[0]).toMatchObject({ userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } });
  });

  test('stays where the policy denies it to services, too, and that is reported', async () => {
    const { backend, ids, problems } = await filled((resources) => {
      const policy = JSON.stringify(resources.Ledger?.Properties?.ResourcePolicy);
      set('Ledger', { ResourcePolicy: JSON.parse(policy.replace(/,"Condition":\{"BoolIfExists[^}]*\}\}/, '')) })(
        resources,
      );
    });
    expect(await backend.sweepExpired(now)).toBe(0);
    expect(await ids()).toEqual(['future', 'past']);
    expect(problems).toEqual([
      expect.stringMatching(/^the time to live may not delete from Small-Ledger-.*explicit deny/),
    ]);
  });
});
