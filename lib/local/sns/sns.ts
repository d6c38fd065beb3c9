import type { IncomingMessage, ServerResponse } from 'node:http';
import { openBoundedList } from '../bounded-list.ts';
import { AwsFailure, type Denial, sentenceOf } from '../service/failure.ts';
import { answerCall, type Fault, notXml } from '../service/faults.ts';
import { type RunningService, startService } from '../service/service.ts';
import { snsAccesses } from './accesses.ts';
import { applications } from './applications.ts';
import { applicationArn, assertArn, isPlatform, type Platform, type RegionAndAccount } from './arns.ts';
import { type Application, type Directory, type Endpoint, openDirectory } from './directory.ts';
import { endpoints } from './endpoints.ts';
import { type Notification, openEvents } from './events.ts';
import { internal, throttled } from './failures.ts';
import { openThrottle } from './faults.ts';
import { publish } from './publish.ts';
import type { Push, PushFilter } from './pushes.ts';
import { type Action, hang, type Service } from './service.ts';
import { readCall, type SnsCall, sendFailure, sendResult } from './wire.ts';

export { snsAccesses } from './accesses.ts';
export { lambdaEvent, type Notification } from './events.ts';
export type { Push } from './pushes.ts';
export type { SnsCall } from './wire.ts';

/** The local stage's SNS, for mobile push only. Topics, subscriptions and SMS are missing. */

export type SnsOptions = RegionAndAccount & {
  /** The folder in which platform applications and endpoints are kept; pushes are never kept. */
  readonly dataDir?: string | undefined;
  /** A returned denial becomes AWS's AuthorizationError. `resource` comes from snsAccesses. */
  readonly authorize?: ((call: SnsCall & { resource: string }) => Denial | undefined) | undefined;
  readonly intercept?: ((call: SnsCall) => Fault | undefined) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Exist from the start. Applications that are already stored stay unchanged. */
  readonly platformApplications?: readonly ({
    readonly platform: Platform;
    /** Defaults for attributes that the application does not set. */
    readonly attributes?: Readonly<Record<string, string>>;
  } & ({ arn: string } | { name: string }))[];
  /** Only the latest pushes are kept, 10,000 by default. */
  readonly maximumPushes?: number | undefined;
  readonly onPush?: ((push: Push) => void) | undefined;
  /** The application events for which an attribute names a topic, each a moment after the answer. */
  readonly onEvent?: ((event: Notification) => void) | undefined;
};

export type Sns = RunningService & {
  /** Oldest first. */
  readonly pushes: (filter?: PushFilter) => Push[];
  /** @returns a function that ends the calls */
  readonly onPush: (listener: (push: Push) => void) => () => void;
  /** How many application events are still to come. */
  readonly waitingEvents: () => number;
  /** In the order in which they were created. */
  readonly endpoints: () => (Omit<Endpoint, 'sequence'> & Pick<Application, 'platform'>)[];
  readonly platformApplications: () => Pick<Application, 'arn' | 'name' | 'platform'>[];
};

const actions: Readonly<Record<string, Action>> = { ...applications, ...endpoints, Publish: publish };

export async function startSns(options: SnsOptions): Promise<Sns> {
  const { region, accountId, now = Date.now, maximumPushes = 10_000, onPush } = options;
  const account = { region, accountId };
  const directory = openDirectory(options.dataDir);
  addApplications(directory, account, options.platformApplications ?? []);
  directory.save();
  const pushes = openBoundedList<Push>(maximumPushes);
  const events = openEvents({ now, onEvent: options.onEvent });
  const listeners = new Set(onPush && [onPush]);
  const keep = (push: Push) => {
    pushes.add(push);
    for (const listener of listeners) {
      try {
        listener(push);
      } catch (error) {
        // The push was published, even if a listener fails.
        console.error('A hook for pushes failed:', error);
      }
    }
  };
  const service: Service = { account, directory, now, emit: events.emit, keep, throttles: openThrottle() };
  const server = await startService({
    name: 'SNS',
    answer: (request, response) => answer(request, response, service, options),
    answerError: (error, _, response) => {
      sendFailure(response, error instanceof AwsFailure ? error : internal());
      return error instanceof AwsFailure;
    },
  });
  return {
    url: server.url,
    pushes: pushes.list,
    onPush: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    waitingEvents: events.waiting,
    endpoints: () =>
      [...directory.endpoints.values()].flatMap(({ sequence: _, ...endpoint }) => {
        const application = directory.applications.get(endpoint.applicationArn);
        return application ? [{ ...endpoint, platform: application.platform }] : [];
      }),
    platformApplications: () =>
      [...directory.applications.values()].map(({ arn, name, platform }) => ({ arn, name, platform })),
    close: async () => {
      events.stop();
      await server.close();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, service: Service, options: SnsOptions) {
  if (request.method === 'GET') {
    response.end('healthy: sns ');
    return;
  }
  const call = await readCall(request);
  const action = Object.hasOwn(actions, call.action) ? actions[call.action] : undefined;
  if (!action)
    throw new AwsFailure(
      'InvalidAction',
      `Could not find operation ${call.action}: the local stage's SNS supports only mobile push`,
    );
  const resource = snsAccesses(call, service.account)[0]?.resource ?? '*';
  const denial = options.authorize?.({ ...call, resource });
  if (denial) throw denied(denial);
  await answerCall({
    response,
    fault: options.intercept?.(call),
    errors: { throttle: throttled, error: internal },
    garbage: { contentType: 'text/xml', body: notXml },
    perform: () => action(service, call.parameters),
    send: (result) => {
      if (result !== hang) sendResult(response, call.action, result);
    },
  });
}

/** SNS writes its name in capitals: `SNS:Publish`. */
function denied(denial: Denial): AwsFailure {
  const action = denial.action.replace(/^sns:/, 'SNS:');
  return new AwsFailure('AuthorizationError', sentenceOf({ ...denial, action }), 403);
}

function addApplications(
  { applications: known }: Directory,
  account: RegionAndAccount,
  given: NonNullable<SnsOptions['platformApplications']>,
): void {
  for (const each of given) {
    const arn = 'arn' in each ? each.arn : applicationArn(account, each.platform, each.name);
    assertArn('PlatformApplicationArn', arn, 'app');
    const [, platform = '', name = ''] = arn.slice(arn.indexOf(':app/') + 1).split('/');
    if (!isPlatform(platform) || platform !== each.platform) throw new Error(`${arn} is none of ${each.platform}`);
    const { attributes = { Enabled: 'true' } } = known.get(arn) ?? {};
    known.set(arn, { arn, platform, name, attributes: { ...each.attributes, ...attributes } });
  }
}
