import { parseArgs } from 'node:util';
import { revokeTombstone } from '../functions/ledger/jobs/revoke-tombstone.ts';
import { operatorSigning } from './operator-signing.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run revoke-tombstone -- --user U --tombstone <sha256> --by name --reason LEGAL-2026-117 --stage prod`, or `--local`: revokes a
 * tombstone that belongs to no erasure (docs/runbook.md, "Check ledger found"). From now on it has no effect.
 */

const usage =
  'npm run revoke-tombstone -- --user U --tombstone <sha256 of the object> --by name --reason CASE-2026-1 --stage dev|staging|prod | --local';

try {
  const { values } = parseArgs({
    options: {
      user: { type: 'string' },
      tombstone: { type: 'string' },
      by: { type: 'string' },
      reason: { type: 'string' },
      stage: { type: 'string' },
      local: { type: 'boolean' },
    },
  });
  const { user: userId, tombstone = '', by, reason = '' } = values;
  const isComplete = /^[0-9a-f]{64}$/.test(tombstone) && /^[A-Z]{2,12}-\d{4}-\d{1,8}$/.test(reason);
  if (!userId || !by || !isComplete) throw new Error(usage);
  const access = await stageAccess(values);
  await revokeTombstone({
    ...(await operatorSigning(access, values.stage)),
    userId,
    tombstone,
    by,
    reason,
    now: new Date(),
  });
  console.log(`${tombstone} is void from now on`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
