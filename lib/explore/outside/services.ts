import { sns } from './endpoints.ts';
import { eventbridge, sesv2, sqs } from './messages.ts';
import { s3 } from './objects.ts';
import { kms } from './signing-keys.ts';
import { type Act, type Input, type OutsideState, text } from './state.ts';
import { cognito } from './user-pool.ts';

/**
 * The services beside DynamoDB, in memory. They answer only what the functions ask; an action that is missing here fails by
 * name.
 */

const services: Record<string, Record<string, Act>> = {
  sqs,
  sesv2,
  eventbridge,
  sns,
  s3,
  kms,
  'cognito-identity-provider': cognito,
};

/** Answers one call of a service beside DynamoDB. @throws an OutsideFailure, or an Error where the action is missing here */
export function answerOutside(
  state: OutsideState,
  service: string,
  action: string,
  input: Input,
  now: number,
): unknown {
  const act = services[service]?.[action];
  if (!act) throw new Error(`the explorer knows no ${service} ${action}`);
  return act(state, input, now);
}

/** What a call of a service changes or reads, for the order of calls; null where calls of it commute with every other. */
export function placeOutside(
  service: string,
  action: string,
  input: Input,
): { place: string; partition?: string; writes: boolean } | null {
  switch (service) {
    case 'kms':
      return null;
    // The call itself changes nothing: what the other function does has calls of its own.
    case 'lambda':
      return null;
    case 'sqs':
      return { place: `queue ${text(input, 'QueueUrl').split('/').at(-1)}`, writes: true };
    case 's3': {
      // A list is of many keys.
      const key = text(input, 'Key');
      return { place: 'objects', ...(key && { partition: key }), writes: !/^(Get|Head|List)/.test(action) };
    }
    case 'sns': {
      // A token is looked for among all endpoints.
      const arn = /^(Create|Set)/.test(action) ? '' : text(input, 'TargetArn') || text(input, 'EndpointArn');
      return { place: 'endpoints', ...(arn && { partition: arn }), writes: action !== 'GetEndpointAttributes' };
    }
    case 'cognito-identity-provider':
      return { place: `user ${text(input, 'Username')}`, writes: !/^Admin(Get|List)/.test(action) };
    default:
      return { place: service, writes: true };
  }
}
