import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Backend } from '../../../lib/local/backend.ts';
import { credentialsOf } from '../../../lib/local/credentials.ts';
import { type Call, startDynamoDb } from '../../../lib/local/dynamodb/front.ts';
import { eventually } from '../../eventually.ts';
import { alteredAssembly, patientEvent } from './altered.ts';
import { agree, backend, clientOf, functionOf, put } from './backends.ts';

/** Each of these starts stages of its own; `backend.test.ts` has what one stage shows. */

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

describe('a function that waits for a table', () => {
  const isOfNobody = ({ input }: Call) => JSON.stringify(input).includes('~init');
  const isOfAll = ({ input }: Call) => /Clock|Accounts/.test(JSON.stringify(input.TableName ?? input.RequestItems));
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

describe('an external DynamoDB', () => {
  test('an external DynamoDB is filled and checked as the one of this process', async () => {
    const external = await startDynamoDb({ region: 'eu-central-1' });
    onTestFinished(() => external.close());
    const first = await backend(undefined, { dynamoEndpoint: external.url });
    const consent = await agree(first);
    expect(consent).toMatchObject({ statusCode: 200 });
    const second = await backend(undefined, { dynamoEndpoint: external.url });
    // The consent that the first stage wrote: its time, not a new one. A busy machine answers 503 until its calls take less than a second.
    await eventually(async () => expect(await agree(second)).toEqual({ ...consent, headers: expect.anything() }));
    const asFunction = clientOf(second, credentialsOf(functionOf(second, 'agree')));
    await expect(asFunction.send(put(second.data.tables('ConsentRecords')))).rejects.toThrow('not authorized');
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
