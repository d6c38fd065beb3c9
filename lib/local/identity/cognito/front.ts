import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsFailure, type Denial, sentenceOf } from '../../service/failure.ts';
import { answerCall, type Fault, notJson } from '../../service/faults.ts';
import { accessKeyOf, jsonObjectIn, readBody, sendJson } from '../../service/request.ts';
import { administration } from './administration.ts';
import { type Cognito, type Operation, ownerOf } from './call.ts';
import { failure } from './failures.ts';
import { signIn } from './sign-in.ts';
import { softwareToken } from './software-token.ts';

/** Cognito's own wire protocol, so that functions and tools speak to it with the SDK that they use on AWS. */

export type UserPoolCall = {
  /** `AdminInitiateAuth` */
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Null for a call without a signature, such as a call of a public operation. */
  readonly accessKeyId: string | null;
};

/**
 * 'limit' is Cognito's other way of throttling. An exception is given by its name, and its message quotes the input.
 */
export type UserPoolFault = Fault | 'limit' | { exception: string };

export type FrontOptions = {
  readonly cognito: Cognito;
  /** Called for operations that IAM authorizes. Without it everything is allowed. */
  readonly authorize?: ((call: UserPoolCall & { resource: string }) => Denial | undefined) | undefined;
  readonly intercept?: ((call: UserPoolCall) => UserPoolFault | undefined) | undefined;
};

const service = 'AWSCognitoIdentityProviderService';
const contentType = 'application/x-amz-json-1.1';
const mostBytes = 1024 * 1024;

const operations: Readonly<Record<string, Operation>> = { ...administration, ...signIn, ...softwareToken };

/**
 * IAM authorizes an administrator's operations; a token or session in the call authorizes the others:
 * https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-public-server-side.html
 */
const isAdministrative = (action: string) => action.startsWith('Admin') || action === 'ListUsers';

/** Those that the user's own token authorizes and that do not run here. They, too, first look at the token. */
const selfServiceOnly: readonly string[] = [
  'CompleteWebAuthnRegistration',
  'ConfirmDevice',
  'DeleteUserAttributes',
  'DeleteWebAuthnCredential',
  'ForgetDevice',
  'GetDevice',
  'GetUserAttributeVerificationCode',
  'GetUserAuthFactors',
  'ListDevices',
  'ListWebAuthnCredentials',
  'SetUserSettings',
  'StartWebAuthnRegistration',
  'UpdateDeviceStatus',
  'UpdateUserAttributes',
  'VerifyUserAttribute',
];

export function isUserPoolCall({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && String(headers['x-amz-target'] ?? '').startsWith(`${service}.`);
}

/** @throws AwsFailure */
export async function answerUserPoolCall(
  request: IncomingMessage,
  response: ServerResponse,
  { cognito, authorize, intercept }: FrontOptions,
): Promise<void> {
  const call = await read(request);
  const { action, input, accessKeyId } = call;
  const operation = Object.hasOwn(operations, action) ? operations[action] : undefined;
  if (!operation && selfServiceOnly.includes(action)) await ownerOf(cognito, input);
  if (!operation) throw failure('UnknownOperationException', `${action} does not run on this machine`);
  if (isAdministrative(action)) {
    if (accessKeyId === null) throw failure('MissingAuthenticationTokenException', 'Missing Authentication Token');
    const resource = cognito.pools().find(({ id }) => id === input.UserPoolId)?.arn ?? '*';
    const denial = authorize?.({ ...call, resource });
    if (denial) throw failure('AccessDeniedException', sentenceOf(denial));
  }
  const fault = intercept?.(call);
  if (fault === 'limit') throw failure('LimitExceededException', 'Attempt limit exceeded, please try after some time.');
  if (typeof fault === 'object') throw failure(fault.exception, `Not to be done: ${JSON.stringify(input)}`);
  await answerCall({
    response,
    fault,
    errors: { throttle: () => failure('TooManyRequestsException', 'Rate exceeded'), error: internal },
    garbage: { contentType, body: notJson },
    perform: () => operation(cognito, input),
    send: (output) => sendJson(response, 200, output, { 'content-type': contentType }),
  });
}

/** @returns whether the error was one of Cognito's */
export function answerUserPoolError(error: unknown, response: ServerResponse): boolean {
  const { code, message, status } = error instanceof AwsFailure ? error : internal();
  const headers = { 'content-type': contentType, 'x-amzn-errortype': `${code}:` };
  sendJson(response, status, { __type: code, message }, headers);
  return error instanceof AwsFailure;
}

const internal = () => failure('InternalErrorException', 'Something went wrong', 500);

async function read(request: IncomingMessage): Promise<UserPoolCall> {
  const body = await readBody(request, mostBytes, () =>
    failure('SerializationException', 'The request is too large', 413),
  );
  const action = String(request.headers['x-amz-target']).slice(service.length + 1);
  const input = jsonObjectIn(body);
  if (!input) throw failure('SerializationException', 'Unexpected value type in payload');
  return { action, input, accessKeyId: accessKeyOf(request) };
}
