import { AwsFailure } from '../service/failure.ts';
import { invalid, missing } from './failures.ts';
import type { Parameters } from './wire.ts';

/**
 * MessageAttributes of a Publish: https://docs.aws.amazon.com/sns/latest/dg/sns-message-attributes.html
 *
 * SNS checks their form and reads TTL itself. It passes on push type, priority, topic and collapse id: "Apple will
 * reject Amazon SNS notifications if message attributes do not meet their requirements", which shows later, as a
 * DeliveryFailure: see refusals.ts.
 */

type MessageAttribute = {
  readonly DataType: string;
  readonly StringValue?: string;
  /** In base64, as on the wire. */
  readonly BinaryValue?: string;
};
export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

const PREFIX = 'AWS.SNS.MOBILE.';

/** `reserved(attributes, 'APNS.TTL')`: the text of `AWS.SNS.MOBILE.APNS.TTL`. */
export function reserved(attributes: MessageAttributes, name: string): string | undefined {
  return attributes[PREFIX + name]?.StringValue;
}

/** @throws AwsFailure with SNS's own sentences */
export function readMessageAttributes(parameters: Parameters): MessageAttributes | undefined {
  const found: Record<string, MessageAttribute> = {};
  for (let number = 1; ; number += 1) {
    const entry = `MessageAttributes.entry.${number}`;
    const name = parameters[`${entry}.Name`];
    if (name === undefined) break;
    assertName(name);
    if (Object.hasOwn(found, name)) throw malformed(`The message attribute '${name}' is given more than once.`);
    const DataType = parameters[`${entry}.Value.DataType`];
    if (DataType === undefined) throw missing(`messageAttributes.${name}.member.dataType`);
    const StringValue = parameters[`${entry}.Value.StringValue`];
    const BinaryValue = parameters[`${entry}.Value.BinaryValue`];
    const attribute = {
      DataType,
      ...(StringValue !== undefined && { StringValue }),
      ...(BinaryValue !== undefined && { BinaryValue }),
    };
    assertValue(name, attribute);
    found[name] = attribute;
  }
  const names = Object.keys(found);
  for (const name of names.filter((each) => each.startsWith(PREFIX) && each.endsWith('.TTL'))) {
    // 0 means "now or never" to APNs and FCM. SNS's sentence for another text is not documented; we assume that it
    // refuses the text, because it subtracts the time that a message waits in SNS:
    // https://docs.aws.amazon.com/sns/latest/dg/sns-ttl.html
    if (!/^\d{1,10}$/.test(found[name]?.StringValue ?? '')) throw invalid(name, 'must be a non-negative integer');
  }
  return names.length > 0 ? found : undefined;
}

function malformed(message: string): AwsFailure {
  return new AwsFailure('ParameterValueInvalid', message);
}

function assertName(name: string): void {
  if (Buffer.byteLength(name) > 256) throw malformed('Length of message attribute name must be less than 256 bytes.');
  for (const [where, found] of [['starting', name.startsWith('.')] as const, ['ending', name.endsWith('.')] as const]) {
    if (found) throw malformed(`Invalid message attribute name ${where} with character '.' was found.`);
  }
  const odd = /[^\w.-]/u.exec(name)?.[0];
  if (odd !== undefined) {
    const code = odd.codePointAt(0)?.toString(16).toUpperCase();
    throw malformed(
      `Invalid non-alphanumeric character '#x${code}' was found in the message attribute name. ` +
        'Can only include alphanumeric characters, hyphens, underscores, or dots.',
    );
  }
  if (name.includes('..')) throw malformed("Message attribute name can not have successive '.' character.");
}

function assertValue(name: string, { DataType, StringValue, BinaryValue }: MessageAttribute): void {
  const base = /^(String|Number|Binary)(\..+)?$/.exec(DataType)?.[1];
  const attribute = `The message attribute '${name}'`;
  if (!base) {
    const prefixes = 'the set of supported type prefixes is Binary, Number, and String.';
    throw malformed(`${attribute} has an invalid message attribute type, ${prefixes}`);
  }
  const field = base === 'Binary' ? 'Binary' : 'String';
  const [own, other] = base === 'Binary' ? [BinaryValue, StringValue] : [StringValue, BinaryValue];
  if (own === undefined && other !== undefined) {
    throw malformed(`${attribute} with type '${DataType}' must use field '${field}'.`);
  }
  if (!own) {
    const what = `non-empty message attribute value for message attribute type '${DataType}'.`;
    throw malformed(`${attribute} must contain ${what}`);
  }
}

/** Names, types and values of attributes count towards the size of the message. */
export function bytesOf(attributes: MessageAttributes = {}): number {
  return Object.entries(attributes).reduce((sum, [name, { DataType, StringValue = '', BinaryValue = '' }]) => {
    const value = Buffer.byteLength(StringValue) + Buffer.byteLength(BinaryValue, 'base64');
    return sum + Buffer.byteLength(name) + Buffer.byteLength(DataType) + value;
  }, 0);
}
