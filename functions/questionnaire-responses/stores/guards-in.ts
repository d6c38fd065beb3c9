import type { FunctionEnvironment } from '../../../lib/runtime/environment.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import type { Operators } from '../../evidence/exports.ts';
import { datedGraceMs } from '../../product.ts';
import type { Guards } from './guards.ts';

type Bound<T> = Pick<Guards, 'now'> & {
  readonly tables: T;
  readonly buckets: { readonly Evidence: string };
  readonly operators: string;
  readonly where: FunctionEnvironment;
};

/** @param bound of a consumer that declares all of it */
export function guardsIn<T extends Guards['tables']>({ tables, buckets, operators, where, now }: Bound<T>) {
  return {
    guards: {
      tables,
      now,
      evidence: { s3: s3(), bucket: buckets.Evidence },
      graceMs: datedGraceMs[where.environment],
    },
    operators: { client: sns(), topicArn: operators, environment: where.environment } satisfies Operators,
  };
}
