import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A CloudFormation and a Parameter Store of a few actions, which tests plant and read. */

type PlantedStack = {
  status: string;
  reason?: string;
  template?: string;
  /** The name in Parameter Store → what the stack has read of it. */
  read?: ReadonlyMap<string, string>;
  /** The newest first. */
  events?: PlantedEvent[];
};

export type PlantedEvent = { id: string; resource: string; type: string; status: string; reason: string; at: Date };

export type AwsAccount = {
  readonly url: string;
  /** By name; by a nested stack's id `{stack}/{logicalId}`. */
  readonly stacks: Map<string, PlantedStack>;
  readonly parameters: Map<string, string>;
  /** Each action with its stack, or with the names of parameters that were asked. */
  readonly calls: string[];
  /** What an action does to the stacks: creating, updating and deleting do nothing else. */
  on: (action: string, stack: string) => void;
  /** Answers 403 to all; as with credentials that have expired. */
  isClosed: boolean;
  readonly close: () => Promise<unknown>;
};

const element = (name: string, value: string) => `<${name}>${value}</${name}>`;
const escaped = (value: string) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const member = (...parts: string[]) => element('member', parts.join(''));
const failure = (code: string, message: string) =>
  element('ErrorResponse', element('Error', element('Code', code) + element('Message', message)));
const arn = (name: string) => `arn:aws:cloudformation:eu-central-1:111122223333:stack/${name}/1`;
const nameOf = (stack: string) => /^arn:.*?:stack\/(.*)\/1$/.exec(stack)?.[1] ?? stack;

export async function startAwsAccount(): Promise<AwsAccount> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const xml = (status: number, content: string) =>
      response.writeHead(status, { 'Content-Type': 'text/xml', Connection: 'close' }).end(content);
    const isSsm = String(request.headers['x-amz-target'] ?? '').endsWith('.GetParameters');
    if (account.isClosed && isSsm)
      return response.writeHead(400, { 'x-amzn-errortype': 'ExpiredTokenException' }).end('{"message":"expired"}');
    if (account.isClosed) return xml(403, failure('AccessDenied', 'not allowed'));
    if (isSsm) {
      const { Names } = JSON.parse(body) as { Names: string[] };
      account.calls.push(`GetParameters ${Names.join(' ')}`);
      const found = Names.flatMap((Name) => {
        const Value = account.parameters.get(Name);
        const ARN = `arn:aws:ssm:eu-central-1:111122223333:parameter${Name}`;
        return Value === undefined ? [] : [{ Name, Value, ARN }];
      });
      return response
        .writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1', Connection: 'close' })
        .end(JSON.stringify({ Parameters: found }));
    }
    const asked = new URLSearchParams(body);
    const [action = '', name] = [asked.get('Action') ?? '', nameOf(asked.get('StackName') ?? '')];
    account.calls.push(`${action} ${name}`);
    account.on(action, name);
    const answered = answerOf(action, name, account.stacks.get(name), asked);
    if (answered === null) return xml(400, failure('ValidationError', `Stack with id ${name} does not exist`));
    return xml(200, element(`${action}Response`, element(`${action}Result`, answered)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const account: AwsAccount = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stacks: new Map(),
    parameters: new Map(),
    calls: [],
    on: () => undefined,
    isClosed: false,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return account;
}

/** @returns null: there is no such stack */
function answerOf(
  action: string,
  name: string,
  stack: PlantedStack | undefined,
  asked: URLSearchParams,
): string | null {
  if (action === 'CreateStack') return element('StackId', arn(name));
  if (!stack) return null;
  if (action === 'DescribeStacks') {
    const read = [...(stack.read ?? [])].map(([parameter, value]) =>
      member(element('ParameterKey', parameter), element('ParameterValue', parameter), element('ResolvedValue', value)),
    );
    const reason = stack.reason ? element('StackStatusReason', stack.reason) : '';
    const described = [
      element('StackId', arn(name)),
      element('StackName', name),
      element('StackStatus', stack.status),
      reason,
      element('Parameters', read.join('')),
    ];
    return element('Stacks', member(...described));
  }
  if (action === 'DescribeStackEvents') return element('StackEvents', (stack.events ?? []).map(eventOf).join(''));
  // CloudFormation has none of a stack that was never deployed.
  if (action === 'GetTemplate') return stack.template ? element('TemplateBody', escaped(stack.template)) : '';
  if (action === 'DescribeStackResource') {
    const id = element('PhysicalResourceId', arn(`${name}/${asked.get('LogicalResourceId')}`));
    return element('StackResourceDetail', id);
  }
  if (action !== 'UpdateStack' && action !== 'DeleteStack') throw new Error(`no ${action} here`);
  return action === 'UpdateStack' ? element('StackId', arn(name)) : '';
}

function eventOf({ id, resource, type, status, reason, at }: PlantedEvent): string {
  return member(
    element('EventId', id),
    element('LogicalResourceId', resource),
    element('PhysicalResourceId', `the ${resource}`),
    element('ResourceType', type),
    element('ResourceStatus', status),
    element('ResourceStatusReason', reason),
    element('Timestamp', at.toISOString()),
  );
}

/** The shell's variables by which a command asks this account. */
export function variablesFor({ url }: AwsAccount): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
  };
}
