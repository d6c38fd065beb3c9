import { afterAll, describe, expect, test } from 'vitest';
import { functionLimitsMs } from '../../../bin/function-limits.ts';
import { seed } from '../../../bin/seed.ts';
import { synthesize } from '../../../bin/stage.ts';
import { startBackend } from '../../../lib/local/backend.ts';
import { credentialsOf } from '../../../lib/local/credentials.ts';
import { alteredAssembly } from './altered.ts';
import { agree, backend, clientOf, functionOf, put } from './backends.ts';

/** Of the template as it is, for tests that leave it so. */

const whole = await startBackend(await synthesize('dev'), { seed, functionLimitsMs });
afterAll(() => whole.close());

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

  test('the ledger takes no bare put, be it of a function that may append', async () => {
    const table = whole.data.tables('ConsentRecords');
    const asFunction = clientOf(whole, credentialsOf(functionOf(whole, 'agree')));
    await expect(asFunction.send(put(table))).rejects.toMatchObject({ name: 'AccessDeniedException' });
    const stranger = clientOf(whole, { accessKeyId: 'STRANGER', secretAccessKey: 'local' });
    await expect(stranger.send(put(table))).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(clientOf(whole, whole.data.credentials).send(put(table))).resolves.toBeTruthy();
  });
});

describe('tables', () => {
  test('are those of the template, by their names in it', async () => {
    const { data, model } = whole;
    expect(model().tables.map(({ name }) => name)).toContain(data.tables('Agreements'));
    expect(() => data.tables('Nothing')).toThrow('the template has no table Nothing');
  });

  test('an external DynamoDB that does not answer is an error in words', async () => {
    const dynamoEndpoint = 'http://127.0.0.1:9';
    await expect(backend(undefined, { dynamoEndpoint })).rejects.toThrow(`no DynamoDB answers at ${dynamoEndpoint}`);
  });
});
