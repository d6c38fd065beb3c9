import { Unauthenticated } from '../../../lib/contract/common-errors.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { checkCode, holdAddress, inTurn, mailTo } from '../../mail/exports.ts';
import { leftBy, withFormer } from '../../mail/rules.ts';
import { moveEmail, readPoolUser, readProfile } from '../../users/exports.ts';
import { CodeInvalid } from '../errors.ts';
import { verifyEmailChange } from '../routes.ts';
import { setEmail } from '../stores/user-pool.ts';

export const handler = serve(verifyEmailChange)(async (input) => {
  const { body, caller, application, tables, secrets, queues, userPool, fail } = input;
  const { email, code } = body;
  const deps = { tables, secret: secrets.MailKey };
  // In its turn before the code is tried: whoever has to wait has lost no try.
  return inTurn(deps, caller.userId, async ({ known, note }) => {
    // The owner has said meanwhile that it was somebody else.
    if (known.securedAt !== null && isAfter(known.securedAt, caller.signedInAt)) throw new Failure(Unauthenticated);
    const right = await checkCode(deps, { application, kind: 'email-change', email, code });
    if (right?.keep.userId !== caller.userId) return fail(CodeInvalid);
    const [before, inPool] = await Promise.all([
      readProfile(tables.Users, caller.userId),
      readPoolUser(cognito(), userPool.id, caller.username),
    ]);
    const from = leftBy(known, inPool?.email ?? null, email);
    const former = from ? withFormer(known.former, { from, to: email }, new Date()) : known.former;
    // A former address that is given back goes out of the list only once the account has it: a crash in between leaves what can be undone.
    const isNoted = former.some((each) => each.email === from);
    if (from) {
      await note({ ...known, former: isNoted ? former : known.former, leaving: from });
      await holdAddress(deps, { application, email: from, userId: caller.userId });
    }
    // Another account has the address meanwhile: its owner was written to, and this code is worth nothing.
    if (!(await setEmail(cognito(), userPool.id, caller.username, email))) return fail(CodeInvalid);
    if (from) {
      const to = { userId: caller.userId, email: from };
      await mailTo(queues.MailQueue, {
        kind: 'email-changed',
        application,
        to,
        locale: before?.locale ?? null,
        data: {},
      });
    }
    await moveEmail(tables.Users, caller.userId, email);
    await note({ ...known, former, leaving: null });
    // Last: after a crash the same code goes on from here.
    await right.useUp();
    return { email };
  });
});

function isAfter(time: string, seconds: number | null): boolean {
  return Date.parse(time) > (seconds ?? 0) * 1000;
}
