import { contended } from '../../../lib/runtime/retry-on-contention.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AccessCodeLocked } from '../errors.ts';
import { validateAccessCode } from '../routes.ts';
import { readCode } from '../rules/code.ts';
import { verifierOf } from '../stores/foreign-codes.ts';
import { isUnmoved, type TriedCode, tryCode } from '../workflows/try-code.ts';

export const handler = serve(validateAccessCode)(async (input) => {
  const { body, caller, now, tables, secrets, environment, fail } = input;
  const { userId } = caller;
  const code = readCode(body.code);
  if (code === null) return invalid('MISTYPED');
  const deps = { tables, secret: secrets.AccessCodeKey, verify: verifierOf(environment) };
  const found = await tryCode<TriedCode>(deps, { userId, code, now }, async (known, tries) =>
    (await isUnmoved(deps, userId, tries)) ? known : contended,
  );
  if (found.outcome === 'locked') return fail(AccessCodeLocked, { lockedUntil: found.lockedUntil });
  if (found.outcome !== 'valid') return invalid(reasons[found.outcome]);
  const { programmeId, grantsDays } = found.grants;
  return { valid: true, reason: null, programmeId, grantsDays };
});

const reasons = { unknown: 'UNKNOWN', expired: 'EXPIRED', revoked: 'REVOKED', redeemed: 'REDEEMED' } as const;

function invalid<const R extends string>(reason: R) {
  return { valid: false, reason, programmeId: null, grantsDays: null };
}
