import { generateKeyPairSync, sign } from 'node:crypto';

/**
 * A self-signed certificate for `localhost` with a key of its own, made anew for each run: a key in the repository would
 * be everybody's. Node makes keys and no certificates, so these are the few fields of RFC 5280 that a client asks for.
 */

export type Certificate = { readonly key: string; readonly cert: string };

const dayMs = 86_400_000;
const oid = {
  sha256WithRsa: Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]),
  commonName: Buffer.from([0x55, 0x04, 0x03]),
  subjectAltName: Buffer.from([0x55, 0x1d, 0x11]),
  basicConstraints: Buffer.from([0x55, 0x1d, 0x13]),
};

/** RSA, as the certificates of DynamoDB's endpoints are. */
export function selfSigned(name = 'localhost'): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = sequence(value(0x06, oid.sha256WithRsa), value(0x05));
  const subject = sequence(value(0x31, sequence(value(0x06, oid.commonName), value(0x0c, Buffer.from(name)))));
  const validity = sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + dayMs)));
  const body = sequence(
    value(0xa0, value(0x02, Buffer.from([2]))),
    value(0x02, Buffer.from([1])),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    value(
      0xa3,
      sequence(
        extension(oid.basicConstraints, sequence(value(0x01, Buffer.from([0xff])))),
        extension(oid.subjectAltName, sequence(value(0x82, Buffer.from(name)))),
      ),
    ),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  const der = sequence(body, algorithm, value(0x03, signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** DER: a tag, the content's length and the content. */
function value(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return value(0x30, ...contents);
}

function extension(id: Buffer, content: Buffer): Buffer {
  return sequence(value(0x06, id), value(0x04, content));
}

/** UTCTime: `261121162450Z`. */
function time(at: Date): Buffer {
  return value(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));
}
