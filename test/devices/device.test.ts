import { describe, expect, test } from 'vitest';
import {
  applicationOf,
  type Device,
  hashOfToken,
  isEndpointOf,
  isReachable,
  knownEndpoint,
  registered,
  says,
  tokenKeysOf,
} from '../../functions/devices/rules/device.ts';
import { existingArn, SnsError } from '../../functions/devices/stores/endpoints.ts';

const application = 'arn:aws:sns:eu-central-1:123456789012:app/APNS/mobile-health-dev-ios';
const arnOf = (id: string) => `arn:aws:sns:eu-central-1:123456789012:endpoint/APNS/mobile-health-dev-ios/${id}`;

const registration = {
  platform: 'ios',
  token: 'abc',
  environment: 'production',
  appVersion: '1.0',
  locale: 'de',
} as const;
const at = { userId: 'u', deviceId: 'd', now: new Date('2026-03-01T12:00:00.000Z'), revision: 'r-1' };
const device = registered(null, registration, { ...at, endpointArn: arnOf('1') });

test.each<[Pick<Device, 'status' | 'endpointArn'>, boolean]>([
  [{ status: 'active', endpointArn: arnOf('1') }, true],
  [{ status: 'disabled', endpointArn: arnOf('1') }, false],
  [{ status: 'unconnected', endpointArn: null }, false],
  [{ status: 'active', endpointArn: null }, false],
])('%j is reachable: %s', (row, expected) => {
  expect(isReachable(row)).toBe(expected);
});

test.each([
  ['ios', 'production', 'P'],
  ['ios', 'sandbox', 'S'],
  ['android', 'production', undefined],
  ['android', 'sandbox', undefined],
] as const)('%s in %s is served by %s', (platform, environment, expected) => {
  expect(applicationOf({ platform, environment }, { 'ios/production': 'P', 'ios/sandbox': 'S' })).toBe(expected);
});

test('one platform application’s endpoints are not another’s', () => {
  expect(isEndpointOf(arnOf('1'), application)).toBe(true);
  expect(isEndpointOf(arnOf('1').replace('APNS/', 'APNS_SANDBOX/'), application)).toBe(false);
  expect(isEndpointOf(arnOf('1').replace('-ios/', '-ios-2/'), application)).toBe(false);
});

describe('a registration', () => {
  test('keeps when the device was registered, and makes a disabled one active', () => {
    const before = { ...device, status: 'disabled' as const };
    const later = { ...at, now: new Date('2026-03-02T12:00:00.000Z'), revision: 'r-2', endpointArn: arnOf('1') };
    expect(registered(before, registration, later)).toEqual({
      ...device,
      renewedAt: '2026-03-02T12:00:00.000Z',
      revision: 'r-2',
    });
  });

  test('without an endpoint is unconnected', () => {
    const unconnected = registered(null, registration, { ...at, endpointArn: null });
    expect(unconnected).toMatchObject({ status: 'unconnected', endpointArn: null });
    expect(tokenKeysOf(unconnected)).toEqual([`token#${hashOfToken(registration)}`]);
  });

  test('is already in a row that differs only in times and revision', () => {
    expect(says({ ...device, renewedAt: 'later', revision: 'r-2' }, device)).toBe(true);
    expect(says({ ...device, status: 'disabled' }, device)).toBe(false);
    expect(says({ ...device, locale: 'en' }, device)).toBe(false);
  });
});

test('the same text is another token on the other platform', () => {
  expect(hashOfToken({ platform: 'android', token: 'abc' })).not.toBe(hashOfToken({ platform: 'ios', token: 'abc' }));
});

describe('which endpoint is taken over', () => {
  const other = { ...device, userId: 'v', tokenHash: 'other', endpointArn: arnOf('2') };
  test.each<[string, Device | null, Device[], string, string | null]>([
    ['none for a stranger', null, [], device.tokenHash, null],
    ['its own', device, [], device.tokenHash, arnOf('1')],
    ['none for a token that changed', device, [], 'new', null],
    ['that of the token before its own', device, [other], 'other', arnOf('2')],
    ['that of the token', null, [other], 'other', arnOf('2')],
    ['not that of a device that has only the endpoint', null, [other], 'new', null],
    ['none of an unconnected device', { ...device, endpointArn: null }, [], device.tokenHash, null],
  ])('%s', (_name, own, others, tokenHash, expected) => {
    expect(knownEndpoint(tokenHash, application, { own, others })).toBe(expected);
  });
});

test.each([
  [
    `Invalid parameter: Token Reason: Endpoint ${arnOf('1')} already exists with the same Token, but different attributes.`,
  ],
  [
    `Invalid parameter: Token Reason: Endpoint ${arnOf('1')} already exists with the same token, but different attributes`,
  ],
])('the ARN in %j', (sentence) => {
  expect(existingArn(new SnsError('InvalidParameterException', sentence))).toBe(arnOf('1'));
  expect(existingArn(new SnsError('NotFoundException', sentence))).toBeNull();
});

test('no ARN in another refusal', () => {
  const sentence = 'Invalid parameter: This endpoint is already registered with a different token.';
  expect(existingArn(new SnsError('InvalidParameterException', sentence))).toBeNull();
});
