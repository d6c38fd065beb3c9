import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Denial } from '../../dynamodb/front.ts';
import * as administration from './administration.ts';
import type { Cognito, Operation } from './call.ts';
import { CognitoFailure, failure } from './failures.ts';
import * as signIn from './sign-in.ts';
import * as softwareToken from './software-token.ts';

/** Cognito's own wire protocol, so that functions and tools speak to it with the SDK that they use on AWS. */

export type UserPoolCall = {
  /** `AdminInitiateAuth` */
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Null for a call that is not signed, as the public operations' are not. */
  readonly accessKeyId: string | null;
};

/**
 * What a test can make a call do: Cognito's two ways of throttling, its own failure, no answer at all, an answer that is
 * lost after the call took effect, and any exception by its name, which quotes what was sent.
 */
export type UserPoolFault = keyof typeof faults | 'hang' | 'lost' | { exception: string };

export type FrontOptions = {
  readonly cognito: Cognito;
  /** Asked for what IAM decides over; absent, all is allowed. */
  readonly authorize?: ((call: UserPoolCall & { resource: string }) => Denial | undefined) | undefined;
  readonly intercept?: ((call: UserPoolCall) => UserPoolFault | undefined) | undefined;
};

const service = 'AWSCognitoIdentityProviderService';

/** IAM decides over these: https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-public-server-side.html */
const signed: Readonly<Record<string, Operation>> = {
  AdminAddUserToGroup: administration.adminAddUserToGroup,
  AdminCreateUser: administration.adminCreateUser,
  AdminDeleteUser: administration.adminDeleteUser,
  AdminDisableUser: administration.adminDisableUser,
  AdminEnableUser: administration.adminEnableUser,
  AdminGetUser: administration.adminGetUser,
  AdminInitiateAuth: signIn.adminInitiateAuth,
  AdminListGroupsForUser: administration.adminListGroupsForUser,
  AdminRemoveUserFromGroup: administration.adminRemoveUserFromGroup,
  AdminRespondToAuthChallenge: signIn.adminRespondToAuthChallenge,
  AdminSetUserMFAPreference: softwareToken.adminSetUserMfaPreference,
  AdminSetUserPassword: administration.adminSetUserPassword,
  AdminUserGlobalSignOut: administration.adminUserGlobalSignOut,
  ListUsers: administration.listUsers,
};

/** Over these it does not: a token or session in the call is its authorization. */
const unsigned: Readonly<Record<string, Operation>> = {
  AssociateSoftwareToken: softwareToken.associateSoftwareToken,
  GetTokensFromRefreshToken: signIn.getTokensFromRefreshToken,
  GlobalSignOut: administration.globalSignOut,
  RevokeToken: signIn.revokeToken,
  SetUserMFAPreference: softwareToken.setUserMfaPreference,
  VerifySoftwareToken: softwareToken.verifySoftwareToken,
};

export function isUserPoolCall({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && String(headers['x-amz-target'] ?? '').startsWith(`${service}.`);
}

export async function answerUserPoolCall(
  request: IncomingMessage,
  response: ServerResponse,
  options: FrontOptions,
): Promise<void> {
  try {
    const call = await read(request);
    const fault = options.intercept?.(call);
    if (fault === 'hang') return;
    if (fault && fault !== 'lost') throw failureOf(fault, call);
    const output = await execute(call, options);
    if (fault) response.destroy();
    else send(response, 200, output);
  } catch (error) {
    if (!(error instanceof CognitoFailure)) console.error('The local Cognito failed:', error);
    const { name, message, status } = error instanceof CognitoFailure ? error : faults.error();
    response.setHeader('x-amzn-errortype', `${name}:`);
    send(response, status, { __type: name, message });
  }
}

const faults = {
  throttle: () => failure('TooManyRequestsException', 'Rate exceeded'),
  limit: () => failure('LimitExceededException', 'Attempt limit exceeded, please try after some time.'),
  error: () => failure('InternalErrorException', 'Something went wrong', 500),
};

function failureOf(fault: Exclude<UserPoolFault, 'hang' | 'lost'>, { input }: UserPoolCall): CognitoFailure {
  if (typeof fault === 'string') return faults[fault]();
  return failure(fault.exception, `Not to be done: ${JSON.stringify(input)}`);
}

async function execute(call: UserPoolCall, { cognito, authorize }: FrontOptions): Promise<object> {
  const { action, input, accessKeyId } = call;
  const all = { ...signed, ...unsigned };
  const operation = Object.hasOwn(all, action) ? all[action] : undefined;
  if (!operation) throw failure('UnknownOperationException', `${action} does not run on this machine`);
  if (Object.hasOwn(signed, action)) {
    if (accessKeyId === null) throw failure('MissingAuthenticationTokenException', 'Missing Authentication Token');
    const resource = cognito.pools().find(({ id }) => id === input.UserPoolId)?.arn ?? '*';
    const denial = authorize?.({ ...call, resource });
    if (denial) throw failure('AccessDeniedException', sentence(denial));
  }
  return operation(cognito, input);
}

function sentence({ action, resource, principal = 'unknown', reason = '' }: Denial): string {
  return `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} ${reason}`.trim();
}

async function read(request: IncomingMessage): Promise<UserPoolCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const action = String(request.headers['x-amz-target']).slice(service.length + 1);
  const accessKeyId = /Credential=([^/,\s]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? null;
  try {
    const input: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (input && typeof input === 'object' && !Array.isArray(input)) {
      return { action, input: input as Record<string, unknown>, accessKeyId };
    }
  } catch {
    // Answered below, as AWS does.
  }
  throw failure('SerializationException', 'Unexpected value type in payload');
}

function send(response: ServerResponse, status: number, output: object): void {
  if (response.destroyed) return;
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() };
  response.writeHead(status, headers).end(JSON.stringify(output));
}
