import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import { functionLimitsMs } from '../../../bin/function-limits.ts';
import { seed } from '../../../bin/seed.ts';
import { synthesize } from '../../../bin/stage.ts';
import { type Backend, type BackendOptions, startBackend } from '../../../lib/local/backend.ts';
import type { StageFiles } from '../../../lib/local/template/stage-model.ts';
import { patientEvent } from './altered.ts';

/** Backends of the template, or of an altered one, and what is asked of them. */

export async function backend(files?: StageFiles, options: BackendOptions = {}): Promise<Backend> {
  const started = await startBackend(files ?? (await synthesize('dev')), { seed, functionLimitsMs, ...options });
  onTestFinished(started.close);
  return started;
}

export function functionOf({ model }: Backend, operation: string) {
  const found = model().functions.find(
    (fn) => fn.operation === operation && fn.environment.APPLICATION === 'sleepcare',
  );
  if (!found) throw new Error(`no ${operation}`);
  return found;
}

export async function agree(stage: Backend, userId = 'u-1') {
  const parameters = { versionId: 'marketing-1.0' };
  const event = patientEvent(userId, 'POST', '/agreements/versions/{versionId}/agree', parameters);
  const result = await stage.invoke(functionOf(stage, 'agree').arn, event);
  return result.ok ? (result.payload as { statusCode: number; body: string }) : result;
}

export const put = (TableName: string) =>
  new PutItemCommand({ TableName, Item: { userAgreement: { S: 'u#a' }, recordedAt: { S: '2026' } } });
export const clientOf = (
  { data: { endpoint, region } }: Backend,
  credentials: { accessKeyId: string; secretAccessKey: string },
) => new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 });
