import { expect, test } from 'vitest';
import { readEndpointEvent } from '../../functions/push/rules/endpoint-event.ts';

const endpointArn = 'arn:aws:sns:eu-central-1:123456789012:endpoint/GCM/mobile-health-dev-android/1';
const event = (EventType: string, FailureType?: string) =>
  JSON.stringify({
    EndpointArn: endpointArn,
    EventType,
    Resource: 'arn:aws:sns:eu-central-1:123456789012:app/GCM/mobile-health-dev-android',
    Service: 'SNS',
    Time: '2026-03-01T12:00:00.000Z',
    ...(FailureType && { FailureType, FailureMessage: 'words', DeliveryAttempts: 1, MessageId: 'm' }),
  });

test.each([
  ['EndpointUpdated', undefined, 'ask'],
  ['EndpointDeleted', undefined, 'ask'],
  ['EndpointCreated', undefined, 'none'],
  ['DeliveryFailure', 'InvalidPlatformToken', 'await'],
  ['DeliveryFailure', 'EndpointDisabled', 'ask'],
  ['DeliveryFailure', 'PlatformApplicationDisabled', 'none'],
] as const)('%s %s: %s', (type, failure, means) => {
  expect(readEndpointEvent(event(type, failure))).toEqual({ endpointArn, type, failure: failure ?? null, means });
});

test.each(['', 'words', 'null', '[]', '{}', '{"EventType":"EndpointUpdated"}'])('%j is no event', (message) => {
  expect(readEndpointEvent(message)).toBeNull();
});
