import { createHash, type KeyObject } from 'node:crypto';
import { AwsFailure } from '../service/failure.ts';
import type { JsonInput, JsonService } from '../service/json-service.ts';
import { signDigest, verifyDigest } from './ecdsa.ts';
import { type Keys, type LocalKey, publicKeyOf } from './keys.ts';

/** The actions of KMS that sign and verify, with the names and errors of the API reference. */

const algorithm = 'ECDSA_SHA_256';
/** The limit of a RAW message: https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html */
const mostBytes = 4096;

export function actionsOn(keys: Keys): JsonService['actions'] {
  return {
    Sign: (input) => {
      const { arn, privateKey } = signingKey(keys, input, 'Sign');
      return { KeyId: arn, Signature: base64(signDigest(digestOf(input), privateKey)), SigningAlgorithm: algorithm };
    },
    Verify: (input) => {
      const { arn, privateKey } = signingKey(keys, input, 'Verify');
      if (!verifyDigest(digestOf(input), bytesOf(input, 'Signature'), privateKey)) {
        throw new AwsFailure('KMSInvalidSignatureException', '');
      }
      return { KeyId: arn, SignatureValid: true, SigningAlgorithm: algorithm };
    },
    GetPublicKey: (input) => {
      const { model, privateKey } = enabled(keys.find(textOf(input, 'KeyId')));
      if (!privateKey) throw new AwsFailure('UnsupportedOperationException', `${model.arn} is not asymmetric.`);
      return { KeyId: model.arn, PublicKey: base64(publicKeyOf(privateKey)), ...described(model) };
    },
    // CreationDate is missing, because the template does not have it.
    DescribeKey: (input) => {
      const { model } = keys.find(textOf(input, 'KeyId'));
      return {
        KeyMetadata: {
          AWSAccountId: model.arn.split(':')[4],
          KeyId: model.id,
          Arn: model.arn,
          Description: model.description,
          Enabled: model.isEnabled,
          KeyState: model.isEnabled ? 'Enabled' : 'Disabled',
          KeyManager: 'CUSTOMER',
          Origin: 'AWS_KMS',
          MultiRegion: false,
          ...described(model),
        },
      };
    },
  };
}

function described({ spec, usage }: LocalKey['model']) {
  const SigningAlgorithms = usage === 'SIGN_VERIFY' ? { SigningAlgorithms: [algorithm] } : {};
  return { KeySpec: spec, CustomerMasterKeySpec: spec, KeyUsage: usage, ...SigningAlgorithms };
}

function signingKey(keys: Keys, input: JsonInput, action: string): { arn: string; privateKey: KeyObject } {
  const { model, privateKey } = enabled(keys.find(textOf(input, 'KeyId')));
  const { arn, usage, spec } = model;
  if (!privateKey) {
    throw new AwsFailure('InvalidKeyUsageException', `${arn} key usage is ${usage} which is not valid for ${action}.`);
  }
  const wanted = textOf(input, 'SigningAlgorithm');
  if (wanted !== algorithm) {
    throw new AwsFailure('InvalidKeyUsageException', `Algorithm ${wanted} is incompatible with key spec ${spec}.`);
  }
  return { arn, privateKey };
}

function enabled(key: LocalKey): LocalKey {
  if (key.model.isEnabled) return key;
  throw new AwsFailure('DisabledException', `${key.model.arn} is disabled.`);
}

function digestOf(input: JsonInput): Buffer {
  const message = bytesOf(input, 'Message');
  const { MessageType = 'RAW' } = input;
  if (message.length > mostBytes) throw invalid('message', `length less than or equal to ${mostBytes}`);
  if (MessageType === 'RAW') return createHash('sha256').update(message).digest();
  if (MessageType !== 'DIGEST') throw invalid('messageType', 'enum value set: [RAW, DIGEST]');
  if (message.length !== 32) {
    throw new AwsFailure('ValidationException', `Digest is invalid length for algorithm ${algorithm}.`);
  }
  return message;
}

/** @throws AwsFailure `ValidationException` if there are no bytes */
function bytesOf(input: JsonInput, name: string): Buffer {
  return Buffer.from(textOf(input, name), 'base64');
}

function textOf(input: JsonInput, name: string): string {
  const text = input[name];
  if (typeof text === 'string' && text !== '') return text;
  throw invalid(name.charAt(0).toLowerCase() + name.slice(1), 'length greater than or equal to 1');
}

function invalid(member: string, constraint: string): AwsFailure {
  const sentence = `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must `;
  return new AwsFailure(
    'ValidationException',
    `${sentence}${constraint.startsWith('enum') ? 'satisfy' : 'have'} ${constraint}`,
  );
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}
