import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceCall } from '../credentials.ts';
import { type InvokeResult, requestTooLarge } from '../functions/result.ts';
import { parseJson } from '../json.ts';
import { AwsFailure, type Denial, sentenceOf } from '../service/failure.ts';
import { answerCall, type Fault, notJson } from '../service/faults.ts';
import { accessKeyOf, readBody, sendJson } from '../service/request.ts';
import { type RunningService, startService } from '../service/service.ts';
import { isSigned } from '../service/signature.ts';

/**
 * The local stage's Lambda for a function that invokes another one and waits: no events, versions or streamed answers.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */

type Named = { readonly name: string; readonly arn: string };

export type LambdaOptions = {
  readonly functions: () => readonly Named[];
  readonly region: string;
  readonly accountId: string;
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
  readonly authorize?: ((call: ServiceCall) => Denial | undefined) | undefined;
  /** For tests: called for each allowed call, and returns the fault for the call. */
  readonly intercept?:
    | ((call: { readonly functionName: string; readonly input: unknown }) => Fault | undefined)
    | undefined;
};

const mostBytes = 6_291_556;
const asJson = { 'content-type': 'application/json' };

const internal = () => new AwsFailure('ServiceException', 'Something went wrong', 500);
const throttled = () => new AwsFailure('TooManyRequestsException', 'Rate Exceeded.', 429);

export function startLambda(options: LambdaOptions): Promise<RunningService> {
  return startService({
    name: 'Lambda',
    answer: (request, response) => answer(request, response, options),
    answerError: (error, _, response) => {
      const { code, message, status } = error instanceof AwsFailure ? error : internal();
      const Type = status < 500 ? 'User' : 'Server';
      sendJson(response, status, { Type, Message: message }, { ...asJson, 'x-amzn-errortype': code });
      return error instanceof AwsFailure;
    },
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { functions, region, accountId, invoke, authorize, intercept }: LambdaOptions,
): Promise<void> {
  const path = request.url ?? '';
  const [, encoded] = /^\/2015-03-31\/functions\/([^/?]+)\/invocations$/.exec(path) ?? [];
  if (request.method !== 'POST' || encoded === undefined) {
    throw new AwsFailure('UnknownOperationException', 'only Invoke runs on this machine', 404);
  }
  const tooLarge = () => new AwsFailure(requestTooLarge, 'The request is too large', 413);
  const body = await readBody(request, mostBytes, tooLarge);
  if (!isSigned(request.headers, body, Date.now(), path)) {
    throw new AwsFailure('InvalidSignatureException', 'The request signature we calculated does not match', 403);
  }
  const kind = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (kind !== 'RequestResponse') {
    throw new AwsFailure('InvalidParameterValueException', 'only RequestResponse runs on this machine', 400);
  }
  const name = decodeURIComponent(encoded);
  const resource = `arn:aws:lambda:${region}:${accountId}:function:${name}`;
  const denial = authorize?.({ action: 'InvokeFunction', accessKeyId: accessKeyOf(request), resource });
  if (denial) throw new AwsFailure('AccessDeniedException', sentenceOf(denial), 403);
  const found = functions().find((fn) => fn.name === name);
  if (!found) throw new AwsFailure('ResourceNotFoundException', `Function not found: ${resource}`, 404);
  const input = eventIn(body);
  await answerCall({
    response,
    fault: intercept?.({ functionName: name, input }),
    errors: { throttle: throttled, error: internal },
    garbage: { contentType: asJson['content-type'], body: notJson },
    perform: () => invoke(found.arn, input),
    send: (result) => sendResult(response, result),
  });
}

function eventIn(body: Buffer): unknown {
  const event = body.length === 0 ? {} : parseJson(body.toString('utf8'));
  if (event !== undefined) return event;
  throw new AwsFailure('InvalidRequestContentException', 'Could not parse request body into json', 400);
}

/** A function that fails is a success of the call: only a header and the payload say it. */
function sendResult(response: ServerResponse, result: InvokeResult): void {
  if (result.ok) {
    sendJson(response, 200, result.payload, asJson);
    return;
  }
  const { kind, errorType, errorMessage, trace } = result;
  if (kind === 'rejected') throw new AwsFailure(errorType, errorMessage, errorType === requestTooLarge ? 413 : 500);
  sendJson(response, 200, { errorType, errorMessage, trace }, { ...asJson, 'x-amz-function-error': 'Unhandled' });
}
