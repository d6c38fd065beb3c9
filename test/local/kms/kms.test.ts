import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import {
  DescribeKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
  type SignCommandInput,
  VerifyCommand,
} from '@aws-sdk/client-kms';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signDigest, verifyDigest } from '../../../lib/local/kms/ecdsa.ts';
import { type KmsOptions, startKms } from '../../../lib/local/kms/kms.ts';
import type { KeyModel } from '../../../lib/local/model.ts';
import type { Fault } from '../../../lib/local/service/faults.ts';
import { givenUp } from '../given-up.ts';
import { temporaryFolder } from '../stage/local-process.ts';

/** As the SDK's client meets it, and Node's own crypto, which knows nothing of this KMS. */

const place = { region: 'eu-central-1', accountId: '000000000000' };
const arn = (rest: string) => `arn:aws:kms:eu-central-1:000000000000:${rest}`;
const signing: KeyModel = {
  logicalId: 'SigningKey',
  id: '11111111-2222-4333-8444-555555555555',
  arn: arn('key/11111111-2222-4333-8444-555555555555'),
  description: 'signs',
  spec: 'ECC_NIST_P256',
  usage: 'SIGN_VERIFY',
  isEnabled: true,
  aliases: ['alias/receipts'],
  policy: null,
};
const symmetric: KeyModel = {
  ...signing,
  id: 'symmetric',
  arn: arn('key/symmetric'),
  spec: 'SYMMETRIC_DEFAULT',
  usage: 'ENCRYPT_DECRYPT',
  aliases: [],
};
const disabled: KeyModel = { ...signing, id: 'disabled', arn: arn('key/disabled'), isEnabled: false, aliases: [] };

async function started(options: Partial<KmsOptions> = {}) {
  const kms = await startKms({ ...place, keys: [signing, symmetric, disabled], ...options });
  const credentials = { accessKeyId: 'tester', secretAccessKey: 'x' };
  const client = new KMSClient({ endpoint: kms.url, region: place.region, credentials, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await kms.close();
  });
  const publicKey = async (KeyId = signing.id) => {
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId }));
    return createPublicKey({ key: Buffer.from(PublicKey ?? []), type: 'spki', format: 'der' });
  };
  return { kms, client, publicKey };
}

const message = Buffer.from('{"a":1}');
const digest = createHash('sha256').update(message).digest();
const toSign = (more: Partial<SignCommandInput> = {}) =>
  new SignCommand({
    KeyId: signing.id,
    Message: digest,
    MessageType: 'DIGEST',
    SigningAlgorithm: 'ECDSA_SHA_256',
    ...more,
  });

describe('a signature', () => {
  test.each(['DIGEST', 'RAW'] as const)('of a %s is one of the public key’s', async (MessageType) => {
    const { client, publicKey } = await started();
    const Message = MessageType === 'RAW' ? message : digest;
    const { Signature = Buffer.of(), ...rest } = await client.send(toSign({ Message, MessageType }));
    expect(rest).toMatchObject({ KeyId: signing.arn, SigningAlgorithm: 'ECDSA_SHA_256' });
    expect(verify('sha256', message, await publicKey(), Signature)).toBe(true);
    expect(verify('sha256', Buffer.from('another'), await publicKey(), Signature)).toBe(false);
  });

  test('is verified, and a foreign one is refused', async () => {
    const { client } = await started();
    const { Signature } = await client.send(toSign());
    const question = { KeyId: signing.id, MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' } as const;
    const ask = (Message: Uint8Array) => client.send(new VerifyCommand({ ...question, Message, Signature }));
    await expect(ask(digest)).resolves.toMatchObject({ SignatureValid: true, KeyId: signing.arn });
    await expect(ask(createHash('sha256').digest())).rejects.toMatchObject({ name: 'KMSInvalidSignatureException' });
  });

  test('of any digest is what OpenSSL takes, and what OpenSSL makes is taken', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const any = fc.uint8Array({ maxLength: 64 });
    fc.assert(
      fc.property(any, any, (one, other) => {
        const hash = createHash('sha256').update(one).digest();
        const signature = signDigest(hash, privateKey);
        expect(verify('sha256', one, publicKey, signature)).toBe(true);
        expect(verifyDigest(hash, sign('sha256', one, privateKey), privateKey)).toBe(true);
        // Bytes that are no signature are false, and no error.
        expect(verifyDigest(hash, Buffer.from(other), privateKey)).toBe(false);
      }),
    );
  });
});

test.each([signing.id, signing.arn, 'alias/receipts', arn('alias/receipts')])('%s names the key', async (KeyId) => {
  const asked: string[] = [];
  const { client } = await started({ authorize: ({ resource }) => void asked.push(resource) });
  const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId }));
  expect(KeyMetadata).toMatchObject({
    KeyId: signing.id,
    Arn: signing.arn,
    KeySpec: 'ECC_NIST_P256',
    KeyUsage: 'SIGN_VERIFY',
    KeyState: 'Enabled',
    SigningAlgorithms: ['ECDSA_SHA_256'],
  });
  // IAM knows the key under one name.
  expect(asked).toEqual([signing.arn]);
});

describe('is refused as KMS does', () => {
  test.each<[string, Partial<SignCommandInput>, string]>([
    ['a key that is not there', { KeyId: 'alias/nothing' }, 'NotFoundException'],
    ['a disabled key', { KeyId: 'disabled' }, 'DisabledException'],
    ['a key that encrypts', { KeyId: 'symmetric' }, 'InvalidKeyUsageException'],
    ['an algorithm of another curve', { SigningAlgorithm: 'ECDSA_SHA_384' }, 'InvalidKeyUsageException'],
    ['a digest of another length', { Message: Buffer.alloc(31) }, 'ValidationException'],
    ['a long message', { MessageType: 'RAW', Message: Buffer.alloc(4097) }, 'ValidationException'],
  ])('%s', async (_, more, name) => {
    const { client } = await started();
    await expect(client.send(toSign(more))).rejects.toMatchObject({ name });
  });

  test('a public key that there is none of', async () => {
    const { publicKey } = await started();
    await expect(publicKey('symmetric')).rejects.toMatchObject({ name: 'UnsupportedOperationException' });
  });

  test('a caller without the permission', async () => {
    const { client } = await started({ authorize: ({ action, resource }) => ({ action: `kms:${action}`, resource }) });
    await expect(client.send(toSign())).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(`not authorized to perform: kms:Sign on resource: ${signing.arn}`),
    });
  });
});

describe('a fault', () => {
  test.each<[Fault, object]>([
    ['error', { name: 'KMSInternalException', $metadata: { httpStatusCode: 500 } }],
    ['throttle', { name: 'ThrottlingException' }],
    ['lose-response', { code: 'ECONNRESET' }],
  ])('%s', async (fault, error) => {
    const { client } = await started({ intercept: () => fault });
    await expect(client.send(toSign())).rejects.toMatchObject(error);
  });

  test('hang', async () => {
    const come = Promise.withResolvers<void>();
    const { client, publicKey } = await started({
      intercept: ({ action }) => {
        if (action !== 'Sign') return undefined;
        come.resolve();
        return 'hang';
      },
    });
    const given = givenUp((abortSignal) => client.send(toSign(), { abortSignal }), come.promise, publicKey);
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a private key', () => {
  test('in a folder outlives a restart, and in memory another template', async () => {
    const dataDir = temporaryFolder();
    const first = await started({ dataDir });
    const [again, another] = [await started({ dataDir }), await started()];
    const known = await first.publicKey();
    expect((await again.publicKey()).equals(known)).toBe(true);
    const inMemory = await another.publicKey();
    expect(inMemory.equals(known)).toBe(false);
    await another.kms.adopt([
      { ...signing, aliases: ['alias/new'] },
      { ...signing, id: 'second', arn: arn('key/second') },
    ]);
    expect((await another.publicKey('alias/new')).equals(inMemory)).toBe(true);
    expect((await another.publicKey('second')).equals(inMemory)).toBe(false);
    await expect(another.publicKey('alias/receipts')).resolves.toBeTruthy();
  });
});
