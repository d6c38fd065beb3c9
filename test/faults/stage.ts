import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { seed } from '../../bin/seed.ts';
import { type StageOptions, startStage } from '../../bin/stage.ts';
import { consumers } from '../../functions/domains.ts';
import type { Application } from '../../lib/contract/register.ts';
import { administrator, credentialsOf } from '../../lib/local/credentials.ts';
import { functionName } from '../../lib/stack/names.ts';
import { type Call, callsAt } from '../caller-at.ts';
import type { Dependency, Kind, Plan } from './case.ts';

/** A stage whose dependencies fail on demand: for one user while all others are well, or for everybody. */

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about.
  readonly body: any;
};

export type Person = {
  readonly userId: string;
  readonly call: (
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
};

/** A fault that is on. */
export type Active = { readonly plan: Plan; readonly mark: string; met: number };

export type Stage = Awaited<ReturnType<typeof openStage>>;

/**
 * @param options `patience`: 1 where something hangs for ever: it is given up after the product's own time;
 * `ofRoutes`: faults are met by the functions of routes only, not by consumers that work for the same user meanwhile
 */
export async function openStage({
  intercept = {},
  ofRoutes = false,
  ...options
}: StageOptions & { ofRoutes?: boolean } = {}) {
  const active = new Set<Active>();
  const excused = new Set<string | null>([administrator.accessKeyId]);
  const meet = (dependency: Dependency, action: string, input: unknown, accessKeyId: string | null) => {
    // What the test itself looks at is always well, and so is what brings the functions their events.
    if (active.size === 0 || excused.has(accessKeyId) || fromStreams.has(action)) return undefined;
    const text = JSON.stringify(input);
    for (const fault of active) {
      const { plan, mark } = fault;
      if (plan.dependency !== dependency || fault.met >= plan.times) continue;
      if (plan.action !== undefined && plan.action !== action) continue;
      if (!text.includes(plan.carrying ?? mark)) continue;
      fault.met += 1;
      return plan.kind;
    }
    return undefined;
  };
  const stage = await startStage({
    seed,
    rateLimit: false,
    initWork: false,
    intercept: {
      dynamodb: ({ action, input, accessKeyId }) => meet('DynamoDB', action, input, accessKeyId),
      sns: ({ action, parameters, accessKeyId }) => only(kinds.common, meet('SNS', action, parameters, accessKeyId)),
      sqs: ({ action, input, accessKeyId }) => only(kinds.common, meet('SQS', action, input, accessKeyId)),
      kms: ({ action, input, accessKeyId }) => only(kinds.common, meet('KMS', action, input, accessKeyId)),
      lambda: ({ input }) => only(kinds.common, meet('Lambda', 'Invoke', input, null)),
      eventbridge: ({ action, input, accessKeyId }) =>
        only(kinds.common, meet('EventBridge', action, input, accessKeyId)),
      s3: ({ action, key, accessKeyId }) => only(kinds.s3, meet('S3', action, key, accessKeyId)),
      ses: (mail) => only(kinds.common, meet('SES', 'SendEmail', mail, null)),
      cognito: ({ action, input, accessKeyId }) => only(kinds.common, meet('Cognito', action, input, accessKeyId)),
      ...intercept,
    },
    ...options,
  });
  // What performs a procedure works within a request.
  const behind = new Set(consumers.flatMap(({ id, consumer }) => (consumer.procedure ? [] : [functionName(id)])));
  for (const fn of ofRoutes ? stage.model().functions : []) {
    if (behind.has(fn.operation ?? '')) excused.add(credentialsOf(fn).accessKeyId);
  }
  const { endpoint, region, credentials } = stage.data;
  const data = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));

  async function person(roles = 'patient', application: Application = 'sleepcare'): Promise<Person> {
    const userId = randomUUID();
    const token = await stage.issuer.token({ application, user: userId, roles: [roles] });
    return { userId, call: (method, path, ...more) => call(application, token, method, path, ...more) };
  }

  const call = (application: Application, token: string, ...request: Parameters<Call>) =>
    callsAt(stage, application, token)(...request);

  const [admin, agent] = await Promise.all([person('admin', 'medinfo'), person('agent', 'medinfo')]);
  return {
    isPatient: (options.patience ?? Number(process.env.PATIENCE)) >= 10,
    stage,
    data,
    person,
    call,
    admin,
    agent,
    /** @returns the fault, on until it is lifted. */
    fail: (plan: Plan, mark: string): Active => {
      const fault = { plan, mark, met: 0 };
      active.add(fault);
      return fault;
    },
    lift: (fault: Active) => void active.delete(fault),
    close: async () => {
      data.destroy();
      await stage.close();
    },
  };
}

const fromStreams = new Set(['DescribeStream', 'GetShardIterator', 'GetRecords']);

const kinds = {
  common: ['throttle', 'error', 'hang', 'garbage', 'lose-response'],
  s3: ['throttle', 'error', 'hang', 'lose-response'],
} as const satisfies Record<string, readonly Kind[]>;

/** @throws an Error where the matrix asks for what that service of the local stage cannot do */
function only<K extends Kind>(known: readonly K[], kind: Kind | undefined): K | undefined {
  const found = known.find((each) => each === kind);
  if (kind !== undefined && found === undefined) throw new Error(`no fault here: ${kind}`);
  return found;
}

/** What has to succeed for a case to begin. @returns the body */
export async function asked(send: () => Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await repeated(send);
  if (status >= 300) throw new Error(`not prepared: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Asks again on 503, as an app does: where nothing is to fail, a machine that stalls for a moment does. */
export async function repeated(send: () => Promise<Answer>): Promise<Answer> {
  for (let left = 4; left > 0; left -= 1) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
  return send();
}
