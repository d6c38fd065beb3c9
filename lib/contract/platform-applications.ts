import { type PushPlatform, pushPlatforms } from './push-platforms.ts';
import type { Environment } from './register.ts';

/** The names of the platform applications in an environment, and what they tell. */

/** `APNS/mobile-health-dev-ios`: the part after `app/` in the application's ARN, and after `endpoint/` in those of its endpoints. */
export function platformApplicationPath(platform: PushPlatform, environment: Environment): string {
  const { service, name } = pushPlatforms[platform];
  return `${service}/${applicationsPrefix(environment)}${name}`;
}

/** The prefix of the names of all platform applications of the environment. */
export function applicationsPrefix(environment: Environment): string {
  return `mobile-health-${environment}-`;
}

/**
 * The attributes with which a platform application names the topic of its events. The event of a new endpoint is not among
 * them, because we make the endpoints ourselves.
 */
export function endpointEventsTo(topicArn: string) {
  return { EventEndpointUpdated: topicArn, EventEndpointDeleted: topicArn, EventDeliveryFailure: topicArn };
}
