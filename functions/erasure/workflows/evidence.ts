import { Clock } from '../../../lib/contract/clock.ts';
import { deletionGraceDays, type Environment } from '../../../lib/contract/deployments.ts';
import { tableExistsIn } from '../../../lib/contract/tables.ts';
import type { Objects } from '../../../lib/runtime/objects.ts';
import type { Erasure } from '../rules/erasure.ts';
import { isTakenBack } from '../rules/logged.ts';
import { askedAt, isBegunLaid, isClosingLaid, layBegun, layClosing, requestOf } from '../stores/erasure-evidence.ts';
import { readLogged } from '../stores/erasure-log.ts';
import type { Evidence } from './take-step.ts';

/** The table has a request that its user did not make, took back, or made less than the grace ago. */
class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

const dayMs = 86_400_000;

/** @param now the real time: S3 dates what was laid by no other */
export function evidenceIn(bucket: Objects, environment: Environment, now: () => Date): Evidence {
  // Where the time machine is, the grace ends by a clock that S3 does not know.
  const graceMs = tableExistsIn(Clock, environment) ? 0 : deletionGraceDays[environment] * dayMs;
  const requestIn = (erasure: Erasure) => {
    const request = requestOf(erasure);
    if (!request) throw new NotAsked();
    return request;
  };
  return {
    async assertAsked(erasure) {
      const request = requestIn(erasure);
      const asked = await askedAt(bucket, request);
      if (!asked || asked.getTime() + graceMs > now().getTime()) throw new NotAsked();
      if (await isClosingLaid(bucket, request)) return;
      if (isTakenBack(await readLogged(bucket, request.userId), request.requestedAt)) throw new NotAsked();
    },
    layClosing: (erasure) => layClosing(bucket, requestIn(erasure)),
    isBegunLaid: (erasure) => isBegunLaid(bucket, requestIn(erasure)),
    layBegun: (erasure) => layBegun(bucket, requestIn(erasure), erasure.begunAt ?? ''),
  };
}
