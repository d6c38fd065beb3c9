import { revokeTombstone } from '../functions/ledger/jobs/revoke-tombstone.ts';
import { operatorSigning } from './operator-signing.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';

type Options = StageArguments & {
  readonly user: string;
  readonly tombstone: string;
  readonly by: string;
  readonly reason: string;
};

export async function run({ user: userId, tombstone, by, reason, ...options }: Options): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(tombstone))
    throw new Error('--tombstone is the SHA-256 of the object: 64 digits and letters a to f');
  if (!/^[A-Z]{2,12}-\d{4}-\d{1,8}$/.test(reason))
    throw new Error('--reason is the number of a case, such as LEGAL-2026-117');
  const access = await stageAccess(options);
  await revokeTombstone({
    ...(await operatorSigning(access, options.stage)),
    userId,
    tombstone,
    by,
    reason,
    now: new Date(),
  });
  console.log(`${tombstone} is void from now on`);
}
