import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { seed } from '../../../bin/seed.ts';
import { type Backend, type BackendOptions, startBackend } from '../../../lib/local/backend.ts';
import { credentialsOf } from '../../../lib/local/credentials.ts';
import { type Call, startDynamoDb } from '../../../lib/local/dynamodb/front.ts';
import { synthesize } from '../../../lib/local/synth.ts';
import { alteredAssembly, patientEvent } from './altered.ts';

/** Of the template as it is, for tests that leave it so. */
let whole: Backend;

beforeAll(async () => {
  whole = await startBackend((await synthesize('dev')).directory, { seed });
});
afterAll(() => whole.close());

async function backend(directory?: string, options: BackendOptions = {}): Promise<Backend> {
  const started = await startBackend(directory ?? (await synthesize('dev')).directory, { seed, ...options });
  onTestFinished(started.close);
  return started;
}

function functionOf({ model }: Backend, operation: string) {
  const found = model().functions.find(
    (fn) => fn.operation === operation && fn.environment.APPLICATION === 'sleepcare',
  );
  if (!found) throw new Error(`no ${operation}`);
  return found;
}

async function agree(stage: Backend, userId = 'u-1') {
  const parameters = { versionId: 'marketing-1.0' };
  const event = patientEvent(userId, 'POST', '/agreements/versions/{versionId}/agree', parameters);
  const result = await stage.invoke(functionOf(stage, 'agree').arn, event);
  return result.ok ? (result.payload as { statusCode: number; body: string }) : result;
}

const put = (TableName: string) =>
  new PutItemCommand({ TableName, Item: { userAgreement: { S: 'u#a' }, recordedAt: { S: '2026' } } });
const clientOf = (
  { data: { endpoint, region } }: Backend,
  credentials: { accessKeyId: string; secretAccessKey: string },
) => new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 });

describe('a function may do what the template grants it', () => {
  test('and with the whole template it can do its work', async () => {
    expect(await agree(whole)).toMatchObject({ statusCode: 200 });
  });

  test('a write that no policy grants is refused, and named in the log', async () => {
    const directory = await alteredAssembly((resources) => {
      for (const { Type, Properties } of Object.values(resources)) {
        if (!['AWS::IAM::Role', 'AWS::IAM::Policy'].includes(Type)) continue;
        const text = JSON.stringify(Properties).replaceAll('"dynamodb:PutItem"', '"dynamodb:DescribeTable"');
        Object.assign(Properties, JSON.parse(text));
      }
    });
    const lines: string[] = [];
    const stage = await backend(directory, { onLog: (_fn, _id, line) => lines.push(line) });
    expect(await agree(stage)).toMatchObject({ statusCode: 500, body: expect.stringContaining('INTERNAL') });
    expect(lines.join('\n')).toContain('is not authorized to perform: dynamodb:PutItem');
  });

  test('a variable that the template does not set is not there', async () => {
    const directory = await alteredAssembly((resources) => {
      for (const { Metadata, Properties } of Object.values(resources)) {
        if (Metadata?.operation !== 'agree') continue;
        const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
        delete Variables.CONSENT_RECORDS_TABLE;
      }
    });
    expect(await agree(await backend(directory))).toMatchObject({ statusCode: 500 });
  });

  test('the ledger takes no bare put, be it of a function that may append', async () => {
    const table = whole.data.tables('ConsentRecords');
    const asFunction = clientOf(whole, credentialsOf(functionOf(whole, 'agree')));
    await expect(asFunction.send(put(table))).rejects.toMatchObject({ name: 'AccessDeniedException' });
    const stranger = clientOf(whole, { accessKeyId: 'STRANGER', secretAccessKey: 'local' });
    await expect(stranger.send(put(table))).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(clientOf(whole, whole.data.credentials).send(put(table))).resolves.toBeTruthy();
  });
});

describe('a function that waits for a table', () => {
  const isOfNobody = ({ input }: Call) => JSON.stringify(input).includes('~init');
  const isOfAll = ({ input }: Call) => /Clock|Accounts/.test(String(input.TableName));
  const listed = async (stage: Backend) =>
    stage.invoke(functionOf(stage, 'list-messages').arn, patientEvent('u-1', 'GET', '/agent-board/messages', {}));

  test.each([
    [undefined, 'reads it at init, as on Lambda', [true, false]],
    [true, 'the same where it is asked for', [true, false]],
    [false, 'does not where requests are counted', [false]],
  ])('initWork %s: %s', async (initWork, _, expected) => {
    const calls: Call[] = [];
    const dynamodb = (call: Call) => void calls.push(call);
    const stage = await backend(undefined, { seed: undefined, intercept: { dynamodb }, initWork });
    expect(await listed(stage)).toMatchObject({ payload: { statusCode: 200 } });
    const { accessKeyId } = credentialsOf(functionOf(stage, 'list-messages'));
    const own = calls.filter((call) => call.accessKeyId === accessKeyId && !isOfAll(call));
    expect(own.map(isOfNobody)).toEqual(expected);
  });
});

describe('tables', () => {
  test('are those of the template, by their names in it', async () => {
    const { data, model } = whole;
    expect(model().tables.map(({ name }) => name)).toContain(data.tables('Agreements'));
    expect(() => data.tables('Nothing')).toThrow('the template has no table Nothing');
  });

  test('an external DynamoDB is filled and checked as the one of this process', async () => {
    const external = await startDynamoDb({ region: 'eu-central-1' });
    onTestFinished(() => external.close());
    const first = await backend(undefined, { dynamoEndpoint: external.url });
    const consent = await agree(first);
    expect(consent).toMatchObject({ statusCode: 200 });
    const second = await backend(undefined, { dynamoEndpoint: external.url });
    // The consent that the first stage wrote: its time, not a new one.
    expect(await agree(second)).toEqual({ ...consent, headers: expect.anything() });
    const asFunction = clientOf(second, credentialsOf(functionOf(second, 'agree')));
    await expect(asFunction.send(put(second.data.tables('ConsentRecords')))).rejects.toThrow('not authorized');
  });

  test('an external DynamoDB that does not answer is an error in words', async () => {
    const dynamoEndpoint = 'http://127.0.0.1:9';
    await expect(backend(undefined, { dynamoEndpoint })).rejects.toThrow(`no DynamoDB answers at ${dynamoEndpoint}`);
  });

  test('kept data of another form is refused in words', async () => {
    const external = await startDynamoDb({ region: 'eu-central-1' });
    onTestFinished(() => external.close());
    await backend(undefined, { dynamoEndpoint: external.url, seed: undefined });
    const directory = await alteredAssembly((resources) => {
      const table = resources.ConsentStatesTable?.Properties;
      if (!table) return;
      table.KeySchema = [{ AttributeName: 'userId', KeyType: 'HASH' }];
      table.AttributeDefinitions = [{ AttributeName: 'userId', AttributeType: 'S' }];
    });
    await expect(backend(directory, { dynamoEndpoint: external.url })).rejects.toThrow(
      /has other keys than the template/,
    );
  });
});

describe('another template in a running stage', () => {
  test('adds its tables, keeps the data, and what it takes away is gone', async () => {
    const stage = await backend();
    expect(await agree(stage)).toMatchObject({ statusCode: 200 });
    const directory = await alteredAssembly((resources) => {
      const table = resources.ConsentStatesTable;
      if (table) resources.MoreTable = structuredClone(table);
      for (const { Metadata, Properties } of Object.values(resources)) {
        const { Variables = {} } = (Properties?.Environment ?? {}) as { Variables?: Record<string, unknown> };
        if (Metadata?.operation === 'list-agreements') delete Variables.AGREEMENTS_TABLE;
      }
    });
    const created = await stage.adopt(directory);
    expect(created).toEqual([stage.data.tables('More')]);
    const list = functionOf(stage, 'list-agreements');
    expect(await stage.invoke(list.arn, patientEvent('u-1', 'GET', '/users/agreements'))).toMatchObject({
      payload: { statusCode: 500 },
    });
    const { endpoint, region, credentials, tables } = stage.data;
    const pointer = new GetItemCommand({
      TableName: tables('ConsentStates'),
      Key: { userId: { S: 'u-1' }, agreementId: { S: 'marketing' } },
    });
    const { Item } = await new DynamoDBClient({ endpoint, region, credentials }).send(pointer);
    expect(Item).toBeTruthy();
  });
});
