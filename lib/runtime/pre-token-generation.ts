import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda';
import { selfServiceScope } from '../contract/tokens.ts';
import { userPoolVariables } from '../contract/uses.ts';
import type { Runtime } from './runtime.ts';

type Trigger = (event: PreTokenGenerationV2TriggerEvent) => Promise<PreTokenGenerationV2TriggerEvent>;

/**
 * Cognito calls it before it signs a token, at each sign-in and renewal. It takes the scope that opens Cognito's own API from the tokens of
 * every client but the one whose tokens never leave a function. Only the client decides: `clientMetadata` is what a caller says.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html
 */
export function preTokenGeneration({ variables }: Pick<Runtime, 'variables'>): Trigger {
  // Without the variable no client keeps the scope.
  const keeps = variables[userPoolVariables.ownAccountClientId];
  return async (event) => {
    if (keeps && event.callerContext.clientId === keeps) return event;
    const accessTokenGeneration = { scopesToSuppress: [selfServiceScope] };
    // Cognito takes the groups from a token whose trigger does not hand them back.
    const groupOverrideDetails = event.request.groupConfiguration;
    return { ...event, response: { claimsAndScopeOverrideDetails: { accessTokenGeneration, groupOverrideDetails } } };
  };
}
