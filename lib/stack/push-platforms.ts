import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { applicationsPrefix, platformApplicationPath } from '../contract/platform-applications.ts';
import {
  bundleIdVariable,
  type PlatformApplications,
  type PushAccess,
  platformApplicationsVariable,
} from '../contract/push-platforms.ts';
import type { Environment } from '../contract/register.ts';
import type { Settings } from '../contract/settings.ts';
import { ofKind, type Uses } from '../contract/uses.ts';
import { arn, type Statement } from './policy.ts';
import { settingsOf } from './product-app.ts';

/** SNS's platform applications that the settings name as connected. */

/** Empty where none is connected, so that no grant is made. */
export function pushVariables(
  uses: Uses | undefined,
  environment: Environment,
  settings: Settings,
): Record<string, string> {
  const [use] = ofKind(uses, 'pushPlatforms');
  if (!use || use.pushPlatforms === 'erase') return {};
  const connected = settings.pushPlatforms;
  const applications: PlatformApplications = Object.fromEntries(
    connected.map((platform) => [platform, arn('sns', `app/${platformApplicationPath(platform, environment)}`)]),
  );
  return {
    [platformApplicationsVariable]: JSON.stringify(applications),
    ...(use.pushPlatforms === 'publish' && { [bundleIdVariable]: settings.iosBundleId }),
  };
}

const endpointActions: Record<PushAccess, readonly string[]> = {
  register: ['sns:GetEndpointAttributes', 'sns:SetEndpointAttributes', 'sns:DeleteEndpoint'],
  publish: ['sns:Publish'],
  read: ['sns:GetEndpointAttributes'],
  erase: ['sns:DeleteEndpoint'],
};

/** The endpoints of the environment's own platform applications, and no topic or phone number. */
export function useOfPushPlatforms(uses: Uses | undefined, environment: Environment, settings: Settings): Statement[] {
  const access = ofKind(uses, 'pushPlatforms')[0]?.pushPlatforms;
  if (access === 'erase') {
    // A user's account may have an endpoint of a platform that was connected earlier.
    const Resource = arn('sns', `endpoint/*/${applicationsPrefix(environment)}*`);
    return [{ Effect: 'Allow', Action: endpointActions.erase, Resource }];
  }
  const paths = settings.pushPlatforms.map((platform) => platformApplicationPath(platform, environment));
  if (!access || paths.length === 0) return [];
  const create: Statement = {
    Effect: 'Allow',
    Action: ['sns:CreatePlatformEndpoint'],
    Resource: paths.map((path) => arn('sns', `app/${path}`)),
  };
  const endpoints: Statement = {
    Effect: 'Allow',
    Action: endpointActions[access],
    Resource: paths.map((path) => arn('sns', `endpoint/${path}/*`)),
  };
  return access === 'register' ? [create, endpoints] : [endpoints];
}

/** Shows after a deployment whether phones get pushes. */
export function addPushOutput(stack: Stack, environment: Environment): void {
  const { pushPlatforms } = settingsOf(stack, environment);
  const value = pushPlatforms.length > 0 ? pushPlatforms.join(', ') : 'none: devices register, and get no push';
  new CfnOutput(stack, 'PushPlatforms', { value });
}
