import {
  CreatePlatformEndpointCommand,
  DeleteEndpointCommand,
  GetEndpointAttributesCommand,
  ListEndpointsByPlatformApplicationCommand,
  SetEndpointAttributesCommand,
} from '@aws-sdk/client-sns';
import { afterAll, expect, test } from 'vitest';
import { startTestSns, tokenOf } from './client.ts';

const sns = await startTestSns();
afterAll(() => sns.close());

const create = async (PlatformApplicationArn: string, Token: string, more: object = {}) =>
  (await sns.client.send(new CreatePlatformEndpointCommand({ PlatformApplicationArn, Token, ...more }))).EndpointArn ??
  '';
const read = async (EndpointArn: string) =>
  (await sns.client.send(new GetEndpointAttributesCommand({ EndpointArn }))).Attributes;
const set = (EndpointArn: string, Attributes: Record<string, string>) =>
  sns.client.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes }));
const remove = (EndpointArn: string) => sns.client.send(new DeleteEndpointCommand({ EndpointArn }));
const invalid = (message: string) => ({ name: 'InvalidParameterException', message: `Invalid parameter: ${message}` });

test('an endpoint has its token, is enabled, and says nothing of user data that were not given', async () => {
  const arn = await create(await sns.application('APNS'), 'abc123');
  expect(arn).toMatch(
    /^arn:aws:sns:eu-central-1:123456789012:endpoint\/APNS\/sleepcare\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  );
  expect(await read(arn)).toEqual({ Enabled: 'true', Token: 'abc123' });
});

test('the same token and attributes are the same endpoint, also at the same time', async () => {
  const app = await sns.application('GCM');
  const token = tokenOf('GCM');
  const arns = await Promise.all(Array.from({ length: 20 }, () => create(app, token, { CustomUserData: 'u1' })));
  expect(new Set(arns).size).toBe(1);
  expect(await create(app, token, { CustomUserData: 'u1', Attributes: { Enabled: 'true' } })).toBe(arns[0]);
});

test('the same token with other attributes is refused with the sentence that clients parse', async () => {
  const app = await sns.application('GCM');
  const token = tokenOf('GCM');
  const arn = await create(app, token, { CustomUserData: 'u1' });
  const refused = invalid(
    `Token Reason: Endpoint ${arn} already exists with the same Token, but different attributes.`,
  );
  await expect(create(app, token, { CustomUserData: 'u2' })).rejects.toMatchObject(refused);
  await expect(create(app, token)).rejects.toMatchObject(refused);
  const disabled = { CustomUserData: 'u1', Attributes: { Enabled: 'false' } };
  await expect(create(app, token, disabled)).rejects.toMatchObject(refused);
  expect(await read(arn)).toEqual({ Enabled: 'true', Token: token, CustomUserData: 'u1' });
});

test('a disabled endpoint is answered by a create that says nothing of Enabled, and stays disabled', async () => {
  const app = await sns.application('GCM');
  const token = tokenOf('GCM');
  const arn = await create(app, token);
  await set(arn, { Enabled: 'false' });
  expect(await create(app, token)).toBe(arn);
  expect(await read(arn)).toMatchObject({ Enabled: 'false' });
});

test('user data among the attributes win over those beside them', async () => {
  const both = { CustomUserData: 'bar', Attributes: { CustomUserData: 'foo' } };
  const arn = await create(await sns.application('GCM'), tokenOf('GCM'), both);
  expect(await read(arn)).toMatchObject({ CustomUserData: 'foo' });
});

test('one token in two applications is two endpoints', async () => {
  const token = 'ab'.repeat(32);
  const arns = await Promise.all([sns.endpoint('APNS', token), sns.endpoint('APNS_SANDBOX', token)]);
  expect(new Set(arns).size).toBe(2);
});

test('token, enabling and user data are set each by itself, and characters of XML survive', async () => {
  const arn = await create(await sns.application('GCM'), tokenOf('GCM'), { CustomUserData: 'u1' });
  await set(arn, { Enabled: 'FALSE' });
  const token = `a<b>&"'\r\nä😀`;
  await set(arn, { Token: token });
  expect(await read(arn)).toEqual({ Enabled: 'false', Token: token, CustomUserData: 'u1' });
  await set(arn, { CustomUserData: '', Enabled: 'true' });
  expect(await read(arn)).toEqual({ Enabled: 'true', Token: token });
});

test('the token that an endpoint started with begins another, ten times', async () => {
  const app = await sns.application('GCM');
  const token = tokenOf('GCM');
  const arns = new Set<string>();
  for (let count = 0; count < 10; count += 1) {
    const arn = await create(app, token);
    arns.add(arn);
    await set(arn, { Token: tokenOf('GCM') });
  }
  expect(arns.size).toBe(10);
  const refused = invalid('This endpoint is already registered with a different token.');
  await expect(create(app, token)).rejects.toMatchObject(refused);
});

test('a deleted endpoint is gone, can be deleted again, and comes back under its ARN', async () => {
  const app = await sns.application('GCM');
  const token = tokenOf('GCM');
  const arn = await create(app, token, { CustomUserData: 'u1' });
  await remove(arn);
  const gone = { name: 'NotFoundException', message: 'Endpoint does not exist', $metadata: { httpStatusCode: 404 } };
  await expect(read(arn)).rejects.toMatchObject(gone);
  await expect(set(arn, { Enabled: 'true' })).rejects.toMatchObject(gone);
  await remove(arn);
  expect(await create(app, token)).toBe(arn);
  expect(await read(arn)).toEqual({ Enabled: 'true', Token: token });
});

test('lists have pages of 100, in which deletions between them lose nothing', async () => {
  const app = await sns.application('GCM', 'paged');
  const arns: string[] = [];
  for (let count = 0; count < 205; count += 1) arns.push(await create(app, `token-${count}`));
  const list = (NextToken?: string) =>
    sns.client.send(new ListEndpointsByPlatformApplicationCommand({ PlatformApplicationArn: app, NextToken }));
  const first = await list();
  expect(first.Endpoints?.[0]).toEqual({ EndpointArn: arns[0], Attributes: { Enabled: 'true', Token: 'token-0' } });
  for (const arn of arns.slice(90, 100)) await remove(arn);
  const second = await list(first.NextToken);
  const third = await list(second.NextToken);
  expect([first, second, third].map(({ Endpoints = [] }) => Endpoints.length)).toEqual([100, 100, 5]);
  expect(third.NextToken).toBeUndefined();
  const listed = [first, second, third].flatMap(({ Endpoints = [] }) =>
    Endpoints.map(({ EndpointArn }) => EndpointArn),
  );
  expect(listed).toEqual(arns);
  await expect(list('garbage')).rejects.toMatchObject(invalid('NextToken Reason: Invalid token'));
});

test.each([
  ['APNS', 'no-hex', 'iOS device tokens must be no more than 400 hexadecimal characters'],
  ['APNS_SANDBOX', 'a'.repeat(401), 'iOS device tokens must be no more than 400 hexadecimal characters'],
  ['GCM', 'ä'.repeat(4097), 'must be at most 8192 bytes long in UTF-8 encoding'],
  ['GCM', '', 'cannot be empty'],
] as const)('a token of %s: %.12s is refused', async (platform, token, reason) => {
  const app = await sns.application(platform);
  await expect(create(app, token)).rejects.toMatchObject(invalid(`Token Reason: ${reason}`));
  const arn = await create(app, tokenOf(platform));
  await expect(set(arn, { Token: token })).rejects.toMatchObject(invalid(`Token Reason: ${reason}`));
});

test.each([
  [{ PlatformCredential: 'x' }, 'Invalid attribute name: PlatformCredential'],
  [{ Enabled: 'maybe' }, 'Invalid value for attribute: Enabled: must be true or false'],
  [
    { CustomUserData: 'ä'.repeat(1025) },
    'Invalid value for attribute: CustomUserData: must be at most 2048 bytes long in UTF-8 encoding',
  ],
])('attributes %o are refused and change nothing', async (Attributes, reason) => {
  const app = await sns.application('GCM');
  const token = tokenOf('GCM');
  const refused = invalid(`Attributes Reason: ${reason}`);
  await expect(create(app, token, { Attributes })).rejects.toMatchObject(refused);
  const arn = await create(app, token);
  await expect(set(arn, { Token: 'other', ...Attributes })).rejects.toMatchObject(refused);
  expect(await read(arn)).toEqual({ Enabled: 'true', Token: token });
});

test('what is missing or not an ARN is refused as by SNS', async () => {
  const missing = { name: 'ValidationError', message: expect.stringContaining("Value null at 'attributes' failed") };
  await expect(set('arn:aws:sns:a:b:endpoint/GCM/a/b', {})).rejects.toMatchObject(missing);
  await expect(read('x')).rejects.toMatchObject(
    invalid('EndpointArn Reason: An ARN must have at least 6 elements, not 1'),
  );
  await expect(remove('arn:aws:sns:a:b:endpoint/GCM/a')).rejects.toMatchObject(
    invalid('EndpointArn Reason: Wrong number of slashes in relative portion of the ARN.'),
  );
  const nowhere = 'arn:aws:sns:eu-central-1:123456789012:app/GCM/none';
  const notFound = { name: 'NotFoundException', message: 'PlatformApplication does not exist' };
  await expect(create(nowhere, 'a')).rejects.toMatchObject(notFound);
});
