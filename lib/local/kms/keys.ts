import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readOrMakeKey } from '../kept-file.ts';
import type { KeyModel } from '../model.ts';
import { AwsFailure } from '../service/failure.ts';

/** The template's keys, with their private parts. */

export type LocalKey = { readonly model: KeyModel; readonly privateKey: KeyObject | null };

export type Keys = {
  /** @throws AwsFailure `NotFoundException` */
  readonly find: (keyId: string) => LocalKey;
  /** The ARN of the key that a KeyId names; an unknown key gets the ARN that it would have. */
  readonly arnOf: (keyId: string) => string;
  /** Adopts the keys of another template. A key that it still has stays the same. */
  readonly adopt: (models: readonly KeyModel[]) => Promise<void>;
};

export type KeysOptions = {
  readonly region: string;
  readonly accountId: string;
  /** Undefined keeps the private keys in memory. */
  readonly dataDir?: string | undefined;
};

export function openKeys({ region, accountId, dataDir }: KeysOptions): Keys {
  const place = `arn:aws:kms:${region}:${accountId}:`;
  const privateKeys = new Map<string, KeyObject>();
  let keys: LocalKey[] = [];

  const privateKeyOf = async ({ id, usage }: KeyModel) => {
    if (usage !== 'SIGN_VERIFY') return null;
    const file = dataDir && join(dataDir, 'kms', `${id}.pem`);
    const key = privateKeys.get(id) ?? (await readOrMakeKey(file, generated));
    privateKeys.set(id, key);
    return key;
  };
  // An id or an alias name belongs to this account and region.
  const full = (keyId: string) => {
    if (keyId.startsWith('arn:')) return keyId;
    return place + (keyId.startsWith('alias/') ? keyId : `key/${keyId}`);
  };
  const known = (arn: string) =>
    keys.find(({ model }) => model.arn === arn || model.aliases.some((alias) => place + alias === arn));

  return {
    find: (keyId) => {
      const arn = full(keyId);
      const found = known(arn);
      if (found) return found;
      const isAlias = arn.includes(':alias/');
      throw new AwsFailure('NotFoundException', isAlias ? `Alias ${arn} is not found.` : `Key '${arn}' does not exist`);
    },
    arnOf: (keyId) => known(full(keyId))?.model.arn ?? full(keyId),
    adopt: async (models) => {
      keys = await Promise.all(models.map(async (model) => ({ model, privateKey: await privateKeyOf(model) })));
    },
  };
}

/** SubjectPublicKeyInfo in DER. */
export function publicKeyOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
}

async function generated(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })).privateKey;
}
