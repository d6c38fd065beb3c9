import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { ServiceAccess } from '../../../lib/local/access.ts';
import { baseUrl } from '../../api.ts';

/** What the commands' `--local` rests on (bin/stage-access.ts). */

test('the stage says where its data is, under the names that a deployed stack has', async () => {
  const answer = await fetch(new URL('/_local/access', baseUrl()));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { region, credentials, endpoints, outputs } = (await answer.json()) as ServiceAccess;
  expect(region).toMatch(/^[a-z]+-[a-z]+-\d$/);
  expect(credentials).toEqual({ accessKeyId: expect.any(String), secretAccessKey: expect.any(String) });
  for (const endpoint of Object.values(endpoints)) expect(endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
  expect(Object.keys(endpoints)).toEqual(['dynamodb', 's3', 'kms', 'eventbridge', 'cognito']);
  expect(outputs.ConsentRecordsTableName).toMatch(/ConsentRecords/);
  expect(outputs.LedgerKeyArn).toMatch(/^arn:aws:kms:.*:key\//);
  expect(outputs.EvidenceBucketName).toMatch(/evidence/);
});

test('421: a page of another name gets nothing of it', async () => {
  const { port } = new URL(baseUrl());
  const status = await new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/_local/access', headers: { host: 'evil.example' } };
    request(options, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(421);
});
