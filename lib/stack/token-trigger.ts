import { type CfnFunction, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/register.ts';
import { userPoolVariables } from '../contract/uses.ts';
import { addFunction, type FunctionHome } from './function.ts';
import { tokenTriggerName } from './names.ts';
import { sizes } from './settings.ts';
import type { SharedState } from './shared-state.ts';

export type TokenTriggerProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly home: FunctionHome;
  readonly state: SharedState;
};

/** The function that the application's user pool calls before it signs a token. It may write logs, and nothing else. */
export function addTokenTrigger(stack: Stack, { environment, application, home, state }: TokenTriggerProps): void {
  const { pool, ownAccountClient } = state.identity(application);
  const made = addFunction(stack, home, {
    name: 'pre-token-generation',
    functionName: tokenTriggerName(environment, application),
    description: `Takes the scope that opens Cognito's own API from the tokens of ${application}`,
    size: sizes.tokenTrigger,
    environment: {
      ENVIRONMENT: environment,
      APPLICATION: application,
      [userPoolVariables.ownAccountClientId]: ownAccountClient.ref,
    },
  });
  allowUserPool(stack, made, pool.attrArn);
}

export function allowUserPool(stack: Stack, called: CfnFunction, poolArn: string): void {
  new CfnPermission(stack, 'PreTokenGenerationInvocation', {
    action: 'lambda:InvokeFunction',
    functionName: called.attrArn,
    principal: 'cognito-idp.amazonaws.com',
    sourceArn: poolArn,
    sourceAccount: Aws.ACCOUNT_ID,
  });
}
