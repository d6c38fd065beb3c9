import { randomUUID } from 'node:crypto';
import { CreateTopicCommand, PublishCommand } from '@aws-sdk/client-sns';
import { afterAll, expect, test } from 'vitest';
import { attributes, startTestSns } from './client.ts';

/** What Publish and the protocol refuse at once. */

const sns = await startTestSns();
afterAll(() => sns.close());

const to = (arn: string) => sns.pushes(({ endpointArn }) => endpointArn === arn);
const invalid = (message: string) => ({ name: 'InvalidParameterException', message: `Invalid parameter: ${message}` });
const malformed = (message: string) => ({ name: 'InvalidParameterValueException', message });

const long = { APNS: JSON.stringify({ aps: { alert: 'x'.repeat(4096) } }) };

test.each([
  ['an empty message', { Message: '' }, 'Empty message'],
  ['a long message', { Message: 'x'.repeat(256 * 1024 + 1) }, 'Message too long'],
  [
    'a payload over 4 KB',
    { Message: JSON.stringify(long) },
    'Message Reason: Invalid notification for protocol APNS: Notification is too long',
  ],
  ['no JSON', { Message: 'hello' }, 'Message Structure - JSON message body failed to parse'],
  ['no entry', { Message: '{"GCM":"{}"}' }, "JSON must contain an entry for 'default' or 'APNS'."],
  [
    'no number as TTL',
    { MessageAttributes: attributes({ 'APNS.TTL': '1h' }) },
    'AWS.SNS.MOBILE.APNS.TTL Reason: must be a non-negative integer',
  ],
  [
    'a negative TTL',
    { MessageAttributes: attributes({ 'APNS_SANDBOX.TTL': '-1' }) },
    'AWS.SNS.MOBILE.APNS_SANDBOX.TTL Reason: must be a non-negative integer',
  ],
])('%s is refused at once, and nothing is kept', async (_, input, sentence) => {
  const arn = await sns.endpoint('APNS');
  await expect(sns.publish(arn, input)).rejects.toMatchObject({
    ...invalid(sentence),
    $metadata: { httpStatusCode: 400 },
  });
  expect(to(arn)).toEqual([]);
});

test('attributes count towards 256 KB', async () => {
  const arn = await sns.endpoint('APNS');
  const fits = { Message: `{"APNS":"{}"}`.padEnd(256 * 1024) };
  await sns.publish(arn, fits);
  const MessageAttributes = { a: { DataType: 'String', StringValue: 'b' } };
  await expect(sns.publish(arn, { ...fits, MessageAttributes })).rejects.toMatchObject(invalid('Message too long'));
});

const named = (name: string) => ({ [name]: { DataType: 'String', StringValue: 'x' } });
test.each([
  [named('.a'), "Invalid message attribute name starting with character '.' was found."],
  [named('a.'), "Invalid message attribute name ending with character '.' was found."],
  [named('a..b'), "Message attribute name can not have successive '.' character."],
  [named('a'.repeat(257)), 'Length of message attribute name must be less than 256 bytes.'],
  [
    named('a^b'),
    "Invalid non-alphanumeric character '#x5E' was found in the message attribute name. Can only include alphanumeric characters, hyphens, underscores, or dots.",
  ],
  [
    { a: { DataType: 'Text', StringValue: 'x' } },
    "The message attribute 'a' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.",
  ],
  [
    { a: { DataType: 'Number', BinaryValue: Buffer.from('1') } },
    "The message attribute 'a' with type 'Number' must use field 'String'.",
  ],
  [
    { a: { DataType: 'String', StringValue: '' } },
    "The message attribute 'a' must contain non-empty message attribute value for message attribute type 'String'.",
  ],
])('message attributes: %o', async (MessageAttributes, sentence) => {
  const arn = await sns.endpoint('GCM', randomUUID());
  await expect(sns.publish(arn, { MessageAttributes })).rejects.toMatchObject(malformed(sentence));
});

test('a data type that is not said is a validation error', async () => {
  const arn = await sns.endpoint('GCM', randomUUID());
  const MessageAttributes = { a: { DataType: undefined, StringValue: 'x' } };
  const message = expect.stringContaining("Value null at 'messageAttributes.a.member.dataType' failed");
  await expect(sns.publish(arn, { MessageAttributes })).rejects.toMatchObject({ name: 'ValidationError', message });
});

test.each([
  ['endpoint/GCM/sleepcare/none', invalid('TargetArn Reason: No endpoint found for the target arn specified')],
  ['news', { name: 'NotFoundException', message: expect.stringContaining('Topic does not exist') }],
])('nothing can be published to %s', async (relative, error) => {
  await expect(sns.publish(`arn:aws:sns:eu-central-1:123456789012:${relative}`)).rejects.toMatchObject(error);
});

test('a topic takes it; no ARN, telephones and nobody are clear errors', async () => {
  const send = (input: object) => sns.client.send(new PublishCommand({ Message: 'x', ...input }));
  const taken = await send({ TopicArn: 'arn:aws:sns:eu-central-1:123456789012:news' });
  expect(taken).toMatchObject({ MessageId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  const noArn = 'TopicArn Reason: An ARN must have at least 6 elements, not 1';
  await expect(send({ TopicArn: 'news' })).rejects.toMatchObject(invalid(noArn));
  await expect(send({ PhoneNumber: '+4930' })).rejects.toMatchObject(
    invalid('PhoneNumber Reason: the local stage sends no SMS'),
  );
  await expect(send({})).rejects.toMatchObject(
    invalid('TopicArn or TargetArn Reason: no value for required parameter'),
  );
});

test('an action that is not here is InvalidAction', async () => {
  const topic = sns.client.send(new CreateTopicCommand({ Name: 'news' }));
  await expect(topic).rejects.toMatchObject({ name: 'InvalidAction', $metadata: { httpStatusCode: 400 } });
});

test.each([
  ['', 'MissingAction', 400],
  ['Action=toString&Version=2010-03-31', 'InvalidAction', 400],
  ['Action=Publish', 'InvalidAction', 400],
  ['Action=Publish&Version=2010-03-31', 'MissingAuthenticationToken', 403],
])('a form of «%s» is %s', async (body, code, status) => {
  const signed = { authorization: 'AWS4-HMAC-SHA256 Credential=A/20260101/eu-central-1/sns/aws4_request' };
  const headers = code === 'MissingAuthenticationToken' ? {} : signed;
  const response = await fetch(sns.url, { method: 'POST', body, headers });
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(`<Error><Type>Sender</Type><Code>${code}</Code><Message>`);
});
