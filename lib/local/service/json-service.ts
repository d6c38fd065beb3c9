import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsFailure, type Denial, sentenceOf } from './failure.ts';
import { answerCall, type Fault, notJson } from './faults.ts';
import { accessKeyOf, jsonObjectIn, readBody, sendJson } from './request.ts';
import { type RunningService, startService } from './service.ts';

/** A service of AWS's JSON protocol: https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html */

export type JsonInput = Readonly<Record<string, unknown>>;

type JsonCall = {
  /** `Sign` */
  readonly action: string;
  readonly input: JsonInput;
  readonly accessKeyId: string;
  /** The ARN of the call's resource. */
  readonly resource: string;
};

/** How tests and the template's policies can change a call. */
export type JsonHooks = {
  readonly authorize?: ((call: JsonCall) => Denial | undefined) | undefined;
  readonly intercept?: ((call: JsonCall) => Fault | undefined) | undefined;
};

export type JsonService = {
  /** `KMS` */
  readonly name: string;
  /** The prefix of the action's name in X-Amz-Target: `TrentService`. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly actions: Readonly<Record<string, (input: JsonInput) => object>>;
  /** The ARNs of a call's resources, at least one; all of them must be allowed. */
  readonly resourcesOf: (input: JsonInput) => readonly string[];
  readonly errors: Readonly<Record<'error' | 'throttle', () => AwsFailure>>;
};

/** More than any of these services accepts. */
const mostBytes = 16 * 1024 * 1024;

export async function startJsonService(service: JsonService, hooks: JsonHooks): Promise<RunningService> {
  const { name, version, errors } = service;
  return startService({
    name,
    answer: (request, response) => answer(request, response, service, hooks),
    answerError: (error, _, response) => {
      const { status, code, message } = error instanceof AwsFailure ? error : errors.error();
      sendJson(response, status, { __type: code, message }, contentType(version));
      return error instanceof AwsFailure;
    },
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { target, version, actions, resourcesOf, errors }: JsonService,
  { authorize, intercept }: JsonHooks,
): Promise<void> {
  const [, action = ''] = String(request.headers['x-amz-target'] ?? '').split(`${target}.`);
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) throw new AwsFailure('UnknownOperationException', `${action} is not here: only what the stage uses is`);
  const body = await readBody(
    request,
    mostBytes,
    () => new AwsFailure('RequestEntityTooLargeException', 'The request is too large', 413),
  );
  const input = jsonObjectIn(body);
  if (!input) throw new AwsFailure('SerializationException', 'Unexpected value type in payload');
  const accessKeyId = accessKeyOf(request);
  if (accessKeyId === null) {
    throw new AwsFailure('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  }
  const resources = resourcesOf(input);
  for (const resource of resources) {
    const denial = authorize?.({ action, input, accessKeyId, resource });
    if (denial) throw new AwsFailure('AccessDeniedException', sentenceOf(denial));
  }
  await answerCall({
    response,
    fault: intercept?.({ action, input, accessKeyId, resource: resources[0] ?? '*' }),
    errors,
    garbage: { contentType: contentType(version)['content-type'], body: notJson },
    perform: () => act(input),
    send: (output) => sendJson(response, 200, output, contentType(version)),
  });
}

function contentType(version: string) {
  return { 'content-type': `application/x-amz-json-${version}` };
}
