import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Denial, sentenceOf } from '../../service/denial.ts';
import { answerCall, type Fault, notJson } from '../../service/faults.ts';
import { accessKeyOf, jsonObjectIn, readBody } from '../../service/request.ts';
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

/**
 * IAM authorizes these operations:
 * https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-public-server-side.html
 */
const signed: Readonly<Record<string, Operation>> = {
  AdminAddUserToGroup: administration.adminAddUserToGroup,
  AdminCreateUser: administration.adminCreateUser,
  AdminDeleteSoftwareToken: softwareToken.adminDeleteSoftwareToken,
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
  AdminUpdateUserAttributes: administration.adminUpdateUserAttributes,
  AdminUserGlobalSignOut: administration.adminUserGlobalSignOut,
  ListUsers: administration.listUsers,
};

/** IAM does not authorize these operations: a token or session in the call is the authorization. */
const unsigned: Readonly<Record<string, Operation>> = {
  ChangePassword: signIn.changePassword,
  AssociateSoftwareToken: softwareToken.associateSoftwareToken,
  DeleteUser: administration.deleteUser,
  GetUser: administration.getUser,
  GetTokensFromRefreshToken: signIn.getTokensFromRefreshToken,
  GlobalSignOut: administration.globalSignOut,
  RevokeToken: signIn.revokeToken,
  SetUserMFAPreference: softwareToken.setUserMfaPreference,
  VerifySoftwareToken: softwareToken.verifySoftwareToken,
};

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

/** @throws CognitoFailure */
export async function answerUserPoolCall(
  request: IncomingMessage,
  response: ServerResponse,
  { cognito, authorize, intercept }: FrontOptions,
): Promise<void> {
  const call = await read(request);
  const { action, input, accessKeyId } = call;
  const all = { ...signed, ...unsigned };
  const operation = Object.hasOwn(all, action) ? all[action] : undefined;
  if (!operation && selfServiceOnly.includes(action)) await softwareToken.ownerOf(cognito, input);
  if (!operation) throw failure('UnknownOperationException', `${action} does not run on this machine`);
  if (Object.hasOwn(signed, action)) {
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
    send: (output) => send(response, 200, output),
  });
}

/** @returns whether the error was one of Cognito's */
export function answerUserPoolError(error: unknown, response: ServerResponse): boolean {
  const { name, message, status } = error instanceof CognitoFailure ? error : internal();
  send(response, status, { __type: name, message }, { 'x-amzn-errortype': `${name}:` });
  return error instanceof CognitoFailure;
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

function send(response: ServerResponse, status: number, output: object, more: Record<string, string> = {}): void {
  if (response.destroyed) return;
  const headers = { 'content-type': contentType, 'x-amzn-requestid': randomUUID(), ...more };
  response.writeHead(status, headers).end(JSON.stringify(output));
}
