import type { FunctionEnvironment } from '../../../lib/runtime/environment.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import type { Operators } from '../../evidence/exports.ts';
import { datedGraceMs } from '../../product.ts';
import type { Guards } from './guards.ts';

type Bound = Pick<Guards, 'tables' | 'now'> & {
  readonly buckets: { readonly Evidence: string };
  readonly operators: string;
  readonly where: FunctionEnvironment;
};

/** @param bound of a consumer that declares all of it */
export function guardsIn({ tables, buckets, operators, where, now }: Bound): { guards: Guards; operators: Operators } {
  return {
    guards: {
      tables,
      now,
      evidence: { s3: s3(), bucket: buckets.Evidence },
      graceMs: datedGraceMs[where.environment],
    },
    operators: { client: sns(), topicArn: operators, environment: where.environment },
  };
}
