import * as z from 'zod/mini';
import type { EventSourceModel, FunctionModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { TemplateError } from './intrinsics.ts';
import { Numeric, ofType, read } from './resources.ts';

/** Properties that the template does not set have Lambda's own defaults. */
const Properties = z.object({
  FunctionName: z.string(),
  EventSourceArn: z.string(),
  Enabled: z._default(z.boolean(), true),
  BatchSize: z.optional(Numeric),
  MaximumBatchingWindowInSeconds: z._default(Numeric, 0),
  StartingPosition: z._default(z.enum(['TRIM_HORIZON', 'LATEST']), 'LATEST'),
  BisectBatchOnFunctionError: z._default(z.boolean(), false),
  MaximumRetryAttempts: z._default(Numeric, -1),
  MaximumRecordAgeInSeconds: z._default(Numeric, -1),
  FunctionResponseTypes: z._default(z.array(z.string()), []),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.optional(Numeric) })),
  DestinationConfig: z.optional(z.object({ OnFailure: z.optional(z.object({ Destination: z.string() })) })),
});

export function eventSourcesOf(deployment: Deployment, functions: readonly FunctionModel[]): EventSourceModel[] {
  return ofType(deployment, 'AWS::Lambda::EventSourceMapping').flatMap((resource) => {
    const found = read(resource, Properties);
    const fn = functions.find(({ name, arn }) => [name, arn].includes(found.FunctionName));
    if (!fn) throw new TemplateError(`${resource.path}: ${found.FunctionName} is no function with an operation`);
    if (!found.Enabled) return [];
    const common = {
      path: resource.path,
      functionArn: fn.arn,
      windowMs: found.MaximumBatchingWindowInSeconds * 1000,
      reportsFailures: found.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    };
    const [, , service, , , rest = ''] = found.EventSourceArn.split(':');
    const [, tableName] = /^table\/([^/]+)\/stream\//.exec(rest) ?? [];
    if (service === 'sqs') {
      const concurrency = found.ScalingConfig?.MaximumConcurrency ?? 10;
      return {
        ...common,
        kind: 'queue',
        queueArn: found.EventSourceArn,
        batchSize: found.BatchSize ?? 10,
        concurrency,
      };
    }
    if (service !== 'dynamodb' || !tableName) {
      throw new TemplateError(`${resource.path}: ${found.EventSourceArn} is no queue and no stream of a table`);
    }
    return {
      ...common,
      kind: 'stream',
      tableName,
      batchSize: found.BatchSize ?? 100,
      startsAt: found.StartingPosition,
      bisects: found.BisectBatchOnFunctionError,
      // Lambda's -1 means unlimited retries, until the record expires in the stream.
      retries: found.MaximumRetryAttempts < 0 ? Number.POSITIVE_INFINITY : found.MaximumRetryAttempts,
      maxAgeMs: found.MaximumRecordAgeInSeconds < 0 ? Number.POSITIVE_INFINITY : found.MaximumRecordAgeInSeconds * 1000,
      failuresArn: found.DestinationConfig?.OnFailure?.Destination ?? null,
    };
  });
}
