import * as z from 'zod/mini';
import type { UserPoolClientModel, UserPoolModel } from '../model.ts';
import type { Deployment, Resource } from './deployment.ts';
import { invokePermissions } from './functions.ts';
import { attributeOf, physicalName, reference } from './physical.ts';
import { Numeric, ofType, read } from './resources.ts';

/** Properties that the template does not set have Cognito's own defaults. */

/** CloudFormation takes booleans as strings too. */
const Bool = z.union([z.boolean(), z.stringbool()]);
const Flag = z._default(Bool, false);
const PasswordPolicy = z.object({
  MinimumLength: z._default(Numeric, 8),
  RequireUppercase: Flag,
  RequireLowercase: Flag,
  RequireNumbers: Flag,
  RequireSymbols: Flag,
  TemporaryPasswordValidityDays: z._default(Numeric, 7),
});
/** Without a password policy a pool requires all four kinds of characters. */
const strict = { RequireUppercase: true, RequireLowercase: true, RequireNumbers: true, RequireSymbols: true };

/** Only the versions that change an access token. */
const Trigger = z.object({ LambdaArn: z.string(), LambdaVersion: z.enum(['V2_0', 'V3_0']) });
const Pool = z.object({
  UserPoolName: z.optional(z.string()),
  UsernameAttributes: z._default(z.array(z.string()), []),
  MfaConfiguration: z._default(z.enum(['OFF', 'OPTIONAL', 'ON']), 'OFF'),
  LambdaConfig: z.optional(z.object({ PreTokenGenerationConfig: z.optional(Trigger) })),
  Policies: z.optional(z.object({ PasswordPolicy: z.optional(PasswordPolicy) })),
});

const Unit = z.enum(['seconds', 'minutes', 'hours', 'days']);
const Client = z.object({
  UserPoolId: z.string(),
  ClientName: z.optional(z.string()),
  ExplicitAuthFlows: z._default(z.array(z.string()), []),
  AccessTokenValidity: z._default(Numeric, 1),
  RefreshTokenValidity: z._default(Numeric, 30),
  TokenValidityUnits: z._default(
    z.object({ AccessToken: z._default(Unit, 'hours'), RefreshToken: z._default(Unit, 'days') }),
    { AccessToken: 'hours', RefreshToken: 'days' },
  ),
  RefreshTokenRotation: z.optional(
    z.object({ Feature: z.enum(['ENABLED', 'DISABLED']), RetryGracePeriodSeconds: z._default(Numeric, 0) }),
  ),
  AuthSessionValidity: z._default(Numeric, 3),
  PreventUserExistenceErrors: z._default(z.enum(['ENABLED', 'LEGACY']), 'LEGACY'),
  EnableTokenRevocation: z._default(Bool, true),
});
const Group = z.object({ UserPoolId: z.string(), GroupName: z.string() });

const seconds = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;

export function userPoolsOf(deployment: Deployment): UserPoolModel[] {
  const clients = ofType(deployment, 'AWS::Cognito::UserPoolClient').map(clientOf);
  const mayInvoke = invokePermissions(deployment, 'cognito-idp.amazonaws.com');
  const groups = ofType(deployment, 'AWS::Cognito::UserPoolGroup').map((resource) => read(resource, Group));
  return ofType(deployment, 'AWS::Cognito::UserPool').map((resource) => {
    const id = reference(resource);
    const { UserPoolName, UsernameAttributes, MfaConfiguration, Policies, LambdaConfig } = read(resource, Pool);
    const trigger = LambdaConfig?.PreTokenGenerationConfig?.LambdaArn;
    const arn = String(attributeOf(resource, 'Arn'));
    const policy = Policies?.PasswordPolicy ?? { MinimumLength: 8, ...strict, TemporaryPasswordValidityDays: 7 };
    return {
      id,
      arn,
      name: UserPoolName ?? physicalName(resource),
      clients: clients.filter(({ poolId }) => poolId === id).map(({ client }) => client),
      groups: groups.filter(({ UserPoolId }) => UserPoolId === id).map(({ GroupName }) => GroupName),
      secondFactor: MfaConfiguration,
      signsInByEmail: UsernameAttributes.includes('email'),
      passwordPolicy: {
        minimumLength: policy.MinimumLength,
        needsUppercase: policy.RequireUppercase,
        needsLowercase: policy.RequireLowercase,
        needsNumbers: policy.RequireNumbers,
        needsSymbols: policy.RequireSymbols,
        temporaryDays: policy.TemporaryPasswordValidityDays,
      },
      tokenTrigger:
        trigger === undefined ? null : { functionArn: trigger, isRefused: !mayInvoke(trigger, arn), timeoutMs: 5_000 },
    };
  });
}

function clientOf(resource: Resource): { poolId: string; client: UserPoolClientModel } {
  const properties = read(resource, Client);
  const { TokenValidityUnits: units, RefreshTokenRotation: rotation } = properties;
  return {
    poolId: properties.UserPoolId,
    client: {
      id: reference(resource),
      name: properties.ClientName ?? physicalName(resource),
      authFlows: properties.ExplicitAuthFlows,
      accessSeconds: properties.AccessTokenValidity * seconds[units.AccessToken],
      refreshSeconds: properties.RefreshTokenValidity * seconds[units.RefreshToken],
      rotationGraceSeconds: rotation?.Feature === 'ENABLED' ? rotation.RetryGracePeriodSeconds : null,
      sessionSeconds: properties.AuthSessionValidity * 60,
      preventsExistenceErrors: properties.PreventUserExistenceErrors === 'ENABLED',
      revokesTokens: properties.EnableTokenRevocation,
    },
  };
}
