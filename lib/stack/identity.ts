import { CfnUserPool, CfnUserPoolClient, CfnUserPoolGroup } from 'aws-cdk-lib/aws-cognito';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/register.ts';
import { rolesOf } from '../contract/roles.ts';
import type { Settings } from '../contract/settings.ts';
import { tokens } from '../contract/tokens.ts';
import { acknowledge } from './acknowledgements.ts';
import { logicalId } from './names.ts';
import { deploymentOf, productOf } from './product-app.ts';
import { removal } from './removal.ts';

/** The app client of the application itself. Each of our sign-ins uses it. */
export const mobileApp = 'mobile-app';

export type Identity = {
  readonly pool: CfnUserPool;
  /** By name: `mobile-app` and the environment's integration clients. */
  readonly clients: ReadonlyMap<string, CfnUserPoolClient>;
};

/**
 * Cognito ignores an empty list of writable attributes: a client could then write all of them through UpdateUserAttributes,
 * without our API (https://github.com/hashicorp/terraform-provider-aws/issues/28684). So the list names one attribute that
 * has no other use and can never be updated.
 */
const nothingWritable = 'unused';

/** An application's user pool: its clients and the groups that are its roles. */
export function addIdentity(
  stack: Stack,
  environment: Environment,
  application: Application,
  { keepsData, integrationClients, secondFactor }: Settings,
): Identity {
  const id = logicalId(application);
  const { isForStaff } = deploymentOf(stack, application);
  const pool = new CfnUserPool(stack, `${id}UserPool`, {
    userPoolName: `mobile-health-${environment}-${application}`,
    // Stated, so that features and price do not depend on an account's default.
    userPoolTier: 'ESSENTIALS',
    adminCreateUserConfig: { allowAdminCreateUserOnly: true },
    accountRecoverySetting: { recoveryMechanisms: [{ name: 'admin_only', priority: 1 }] },
    // The user name is then a random one from Cognito, so a token's `username` claim identifies nobody. This cannot be
    // changed later.
    usernameAttributes: ['email'],
    usernameConfiguration: { caseSensitive: false },
    schema: [{ name: nothingWritable, attributeDataType: 'String', mutable: false }],
    policies: { passwordPolicy: { minimumLength: 12, temporaryPasswordValidityDays: 7 } },
    // Cognito itself then issues no token without the second factor, whichever way a client signs in.
    mfaConfiguration: isForStaff ? secondFactor : 'OPTIONAL',
    enabledMfas: ['SOFTWARE_TOKEN_MFA'],
    deletionProtection: keepsData ? 'ACTIVE' : 'INACTIVE',
  });
  pool.applyRemovalPolicy(removal(keepsData));
  acknowledge(pool, 'passphrases', 'signInBehindOurApi');
  if (!isForStaff) acknowledge(pool, 'noSecondFactorForPatients');
  else if (secondFactor !== 'ON') acknowledge(pool, 'noPeopleInHere');
  new CfnOutput(stack, `${id}UserPoolId`, { value: pool.ref });

  for (const role of rolesOf(productOf(stack).product.roles, application, environment)) {
    new CfnUserPoolGroup(stack, `${id}${logicalId(role)}Group`, { userPoolId: pool.ref, groupName: role });
  }
  const names = [mobileApp, ...integrationClients];
  return { pool, clients: new Map(names.map((name) => [name, addClient(stack, id, pool, name)])) };
}

function addClient(stack: Stack, id: string, pool: CfnUserPool, name: string): CfnUserPoolClient {
  const client = new CfnUserPoolClient(stack, `${id}${logicalId(name)}Client`, {
    userPoolId: pool.ref,
    clientName: name,
    // Only the flow that needs IAM, so every sign-in goes through our API and its rate limit. ALLOW_REFRESH_TOKEN_AUTH is
    // not compatible with rotation; GetTokensFromRefreshToken needs no flow.
    // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-refresh-token.html
    explicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH'],
    supportedIdentityProviders: ['COGNITO'],
    allowedOAuthFlowsUserPoolClient: false,
    generateSecret: false,
    preventUserExistenceErrors: 'ENABLED',
    enableTokenRevocation: true,
    refreshTokenRotation: { feature: 'ENABLED', retryGracePeriodSeconds: tokens.rotationGraceSeconds },
    accessTokenValidity: tokens.accessMinutes,
    idTokenValidity: tokens.accessMinutes,
    refreshTokenValidity: tokens.refreshDays,
    tokenValidityUnits: { accessToken: 'minutes', idToken: 'minutes', refreshToken: 'days' },
    writeAttributes: [`custom:${nothingWritable}`],
  });
  new CfnOutput(stack, `${id}${logicalId(name)}ClientId`, { value: client.ref });
  return client;
}
