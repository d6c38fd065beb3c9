import { setTimeout as sleep } from 'node:timers/promises';
import type { InvokeResult } from '../../functions/result.ts';
import type { TokenTriggerModel, UserPoolModel } from '../../model.ts';
import { selfService } from '../access-token.ts';
import type { Cognito } from './call.ts';
import type { User } from './directory.ts';
import { failure } from './failures.ts';

/**
 * The trigger before a token is signed, with events of version 2:
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html
 */

export type TriggerCall = {
  readonly source: 'TokenGeneration_Authentication' | 'TokenGeneration_RefreshTokens';
  /** Cognito hands on what a call says, but not that of `AdminInitiateAuth`. */
  readonly metadata?: unknown;
};

type Grants = { readonly groups: readonly string[]; readonly scopes: readonly string[] };

/** What the token says of its user's rights. @throws an AwsFailure where the trigger fails: then there is no token */
export async function grantsOf(
  cognito: Cognito,
  { id, tokenTrigger }: UserPoolModel,
  user: User,
  clientId: string,
  { source, metadata }: TriggerCall,
): Promise<Grants> {
  const before = { groups: user.groups, scopes: [selfService] };
  if (!tokenTrigger) return before;
  if (tokenTrigger.isRefused) throw notInvoked('AccessDeniedException');
  const result = await answerTo(cognito, tokenTrigger, {
    version: '2',
    triggerSource: source,
    region: cognito.region(),
    userPoolId: id,
    userName: user.username,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
    request: {
      userAttributes: { sub: user.sub, 'cognito:user_status': user.status, ...user.attributes },
      groupConfiguration: { groupsToOverride: user.groups, iamRolesToOverride: [], preferredRole: null },
      scopes: before.scopes,
      ...(metadata !== undefined && { clientMetadata: metadata }),
    },
    response: { claimsAndScopeOverrideDetails: null },
  });
  if (!result.ok && result.kind === 'rejected') throw notInvoked(result.errorType);
  if (!result.ok) {
    throw failure('UserLambdaValidationException', `PreTokenGeneration failed with error ${result.errorMessage}.`);
  }
  return changed(before, result.payload);
}

/** Cognito calls three times. */
const attempts = 3;

async function answerTo(
  { invoke }: Cognito,
  { functionArn, timeoutMs }: TokenTriggerModel,
  event: object,
): Promise<InvokeResult> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const late = new AbortController();
    const result = await Promise.race([
      invoke(functionArn, event),
      sleep(timeoutMs, null, { signal: late.signal }).catch(() => null),
    ]);
    late.abort();
    if (result && (result.ok || result.kind !== 'timeout')) return result;
  }
  throw notInvoked('TimeoutException');
}

function notInvoked(error: string) {
  return failure('UnexpectedLambdaException', `PreTokenGeneration invocation failed due to error ${error}.`);
}

type Overrides = {
  readonly accessTokenGeneration?: { readonly scopesToSuppress?: string[]; readonly scopesToAdd?: string[] } | null;
  readonly groupOverrideDetails?: { readonly groupsToOverride?: string[] } | null;
};

/** "If you provide an empty or null object in the response, then the groups are suppressed." */
function changed(before: Grants, payload: unknown): Grants {
  const { response } = (payload ?? {}) as { response?: { claimsAndScopeOverrideDetails?: Overrides | null } };
  if (typeof response !== 'object') throw failure('InvalidLambdaResponseException', 'Unrecognizable lambda output');
  const overrides = response.claimsAndScopeOverrideDetails;
  if (!overrides) return before;
  const { scopesToSuppress = [], scopesToAdd = [] } = overrides.accessTokenGeneration ?? {};
  return {
    groups: overrides.groupOverrideDetails?.groupsToOverride ?? [],
    scopes: [...before.scopes.filter((scope) => !scopesToSuppress.includes(scope)), ...scopesToAdd],
  };
}
