import type { KeyModel } from '../model.ts';
import { AwsFailure } from '../service/failure.ts';
import { type JsonHooks, type JsonService, startJsonService } from '../service/json-service.ts';
import type { RunningService } from '../service/service.ts';
import { actionsOn } from './actions.ts';
import { type KeysOptions, openKeys } from './keys.ts';

/**
 * The local stage's KMS: signatures by the template's asymmetric keys. Encryption by other services is not emulated
 * here.
 */

export type KmsOptions = JsonHooks & KeysOptions & { readonly keys: readonly KeyModel[] };

export type Kms = RunningService & {
  /** Adopts the keys of another template. Existing keys stay, with their private keys. */
  readonly adopt: (keys: readonly KeyModel[]) => Promise<void>;
};

const errors: JsonService['errors'] = {
  error: () => new AwsFailure('KMSInternalException', 'An internal failure occurred in AWS KMS.', 500),
  throttle: () =>
    new AwsFailure(
      'ThrottlingException',
      'You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.',
    ),
};

export async function startKms(options: KmsOptions): Promise<Kms> {
  const keys = openKeys(options);
  await keys.adopt(options.keys);
  const service = await startJsonService(
    {
      name: 'KMS',
      target: 'TrentService',
      version: '1.1',
      actions: actionsOn(keys),
      // IAM always checks the key's own ARN, for an alias, too.
      resourcesOf: ({ KeyId }) => [keys.arnOf(String(KeyId))],
      errors,
    },
    options,
  );
  return { ...service, adopt: keys.adopt };
}
