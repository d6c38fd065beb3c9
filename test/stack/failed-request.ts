import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Operation } from '../../lib/contract/declarations.ts';
import type { Application } from '../../lib/contract/register.ts';
import { ownPaging, paging } from '../../lib/runtime/paging.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { hangMs } from '../hang.ts';

/** The line that a route's function writes of a request that it answers with 500: a function without its environment. */
export async function failedRequest({ route }: Operation, application: Application): Promise<Record<string, unknown>> {
  const lines: string[] = [];
  const runtime = {
    variables: { APPLICATION: application },
    clock: () => new Date(),
    realNow: () => new Date(),
    write: (line: string) => lines.push(line),
    otherBodies: Object.fromEntries((route.otherBodies ?? []).map((type) => [type, () => ({ body: null })])),
    access: () => ({ respond: () => Promise.reject(new Error('never reached')) }),
    paging: route.cursors ? ownPaging : paging,
  };
  const handler = serve(route)(() => Promise.reject(new Error('never reached')))(runtime);
  const { method: httpMethod, path } = route;
  const event = { httpMethod, path, body: null, multiValueHeaders: {}, requestContext: { requestId: 'r' } };
  const context = { getRemainingTimeInMillis: () => hangMs } as Context;
  await handler(event as unknown as APIGatewayProxyEvent, context);
  return JSON.parse(lines.join(''));
}

type Embedded = { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] };

/** What CloudWatch makes of a line's counts: namespace, name, and dimensions with their values. */
export function metricsIn(line: Record<string, unknown>): string[][] {
  const { CloudWatchMetrics } = line._aws as Embedded;
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name }) => [Namespace, Name, ...names.flatMap((name) => [name, String(line[name])])]),
    ),
  );
}
