import { CfnUserPool, CfnUserPoolClient, type CfnUserPoolClientProps, CfnUserPoolGroup } from 'aws-cdk-lib/aws-cognito';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import type { SessionLifetime } from '../contract/product.ts';
import type { Application, Environment } from '../contract/register.ts';
import { rolesOf } from '../contract/roles.ts';
import type { Settings } from '../contract/settings.ts';
import { tokens } from '../contract/tokens.ts';
import { acknowledge } from './acknowledgements.ts';
import { logicalId, tokenTriggerName } from './names.ts';
import { arn } from './policy.ts';
import { deploymentOf, productOf } from './product-app.ts';
import { removal } from './removal.ts';

/** The app client of the application itself. Each of our sign-ins uses it. */
export const mobileApp = 'mobile-app';

/**
 * The app client of the sign-ins that change one's own account. Its tokens keep the scope that opens Cognito's own API, and never leave a
 * function (decision 57).
 */
const ownAccount = 'own-account';

export type Identity = {
  readonly pool: CfnUserPool;
  /** By name: `mobile-app` and the environment's integration clients. */
  readonly clients: ReadonlyMap<string, CfnUserPoolClient>;
  /** `own-account`; none of `clients`, as the API accepts no token of it. */
  readonly ownAccountClient: CfnUserPoolClient;
};

/**
 * Cognito ignores an empty list of writable attributes: a client could then write all of them through UpdateUserAttributes,
 * without our API (https://github.com/hashicorp/terraform-provider-aws/issues/28684). So the list names one attribute that
 * has no other use and can never be updated.
 */
const nothingWritable = 'unused';

/**
 * An application's user pool: its clients and the groups that are its roles.
 *
 * @param trigger the name of the function that the pool calls before it signs a token; another stack makes it
 */
export function addIdentity(
  stack: Stack,
  environment: Environment,
  application: Application,
  { keepsData, integrationClients, secondFactor }: Settings,
  trigger = tokenTriggerName(environment, application),
): Identity {
  const id = logicalId(application);
  const { isForStaff, sessions } = deploymentOf(stack, application);
  const pool = new CfnUserPool(stack, `${id}UserPool`, {
    userPoolName: `mobile-health-${environment}-${application}`,
    // Stated, so that features and price do not depend on an account's default. The lower plan has no trigger of this version.
    userPoolTier: 'ESSENTIALS',
    lambdaConfig: {
      preTokenGenerationConfig: { lambdaArn: arn('lambda', `function:${trigger}`), lambdaVersion: 'V2_0' },
    },
    adminCreateUserConfig: { allowAdminCreateUserOnly: true },
    accountRecoverySetting: { recoveryMechanisms: [{ name: 'admin_only', priority: 1 }] },
    // The user name is then a random one from Cognito, so a token's `username` claim identifies nobody. This cannot be
    // changed later.
    usernameAttributes: ['email'],
    usernameConfiguration: { caseSensitive: false },
    schema: [{ name: nothingWritable, attributeDataType: 'String', mutable: false }],
    // A temporary password is one that `create-user` printed; a day is the shortest time that Cognito takes.
    policies: { passwordPolicy: { minimumLength: 12, temporaryPasswordValidityDays: 1 } },
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
  const clients = new Map(names.map((name) => [name, addClient(stack, id, pool, { name, life: handedOut(sessions) })]));
  return { pool, clients, ownAccountClient: addClient(stack, id, pool, { name: ownAccount, life: kept }) };
}

type Life = Pick<
  CfnUserPoolClientProps,
  'accessTokenValidity' | 'idTokenValidity' | 'refreshTokenValidity' | 'tokenValidityUnits'
>;

const tokenValidityUnits = { accessToken: 'minutes', idToken: 'minutes', refreshToken: 'minutes' };

const handedOut = ({ longestMinutes }: SessionLifetime): Life => ({
  accessTokenValidity: tokens.accessMinutes,
  idTokenValidity: tokens.accessMinutes,
  refreshTokenValidity: longestMinutes,
  tokenValidityUnits,
});

/** The shortest lives that Cognito takes. */
const kept: Life = { accessTokenValidity: 5, idTokenValidity: 5, refreshTokenValidity: 60, tokenValidityUnits };

function addClient(
  stack: Stack,
  id: string,
  pool: CfnUserPool,
  { name, life }: { readonly name: string; readonly life: Life },
): CfnUserPoolClient {
  const client = new CfnUserPoolClient(stack, `${id}${logicalId(name)}Client`, {
    userPoolId: pool.ref,
    clientName: name,
    // Only the flow that needs IAM, so every sign-in goes through our API and its rate limit. GetTokensFromRefreshToken needs
    // no flow. No rotation: this token never leaves the functions, and the app's token is ours (decision 56).
    // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RefreshTokenRotationType.html
    explicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH'],
    supportedIdentityProviders: ['COGNITO'],
    allowedOAuthFlowsUserPoolClient: false,
    generateSecret: false,
    preventUserExistenceErrors: 'ENABLED',
    enableTokenRevocation: true,
    refreshTokenRotation: { feature: 'DISABLED' },
    ...life,
    writeAttributes: [`custom:${nothingWritable}`],
  });
  new CfnOutput(stack, `${id}${logicalId(name)}ClientId`, { value: client.ref });
  return client;
}
