import { isDeepStrictEqual } from 'node:util';
import { type Compared, eventOf } from './events.ts';
import { inFreshProcess, type Measured } from './fresh-process.ts';
import { interleaved } from './interleaved.ts';
import { median } from './statistics.ts';
import type { TlsStub } from './tls-stub.ts';
import type { Build, Variant } from './variants.ts';

/** CPU milliseconds, one for each round. */
type Costs = {
  readonly load: number[];
  readonly first: number[];
  readonly cold: number[];
  readonly warm: number[];
};

export type Measurement = Variant & Costs;

export type Effort = {
  readonly coldRounds: number;
  /** Each a process that has answered `warmUpBatches` before it counts. */
  readonly warmRounds: number;
  readonly batches: number;
  readonly warmUpBatches: number;
  readonly batchSize: number;
};

/**
 * All variants in one run: a fresh process for each cold start, then fewer processes that stay for the warm invocations.
 *
 * @throws an Error where a build answers another body than ours
 */
export async function sideBySide(variants: readonly Variant[], stub: TlsStub, effort: Effort): Promise<Measurement[]> {
  const { coldRounds, warmRounds, batches, warmUpBatches, batchSize } = effort;
  const started = await interleaved(coldRounds, variants, ({ file, operation, variables }) =>
    inFreshProcess({ file, event: eventOf(operation), batches: 0, batchSize: 0, variables }, stub),
  );
  assertSameBodies(started);
  // What is done at init is over by then.
  const staying = variants.filter(({ variables }) => variables === undefined);
  const kept = await interleaved(warmRounds, staying, async ({ file, operation }) => {
    const work = { file, event: eventOf(operation), batches: warmUpBatches + batches, batchSize };
    return median((await inFreshProcess(work, stub)).warm.slice(warmUpBatches));
  });
  return variants.map((variant) => {
    const runs = started.get(variant) ?? [];
    return {
      ...variant,
      load: runs.map(({ load }) => load),
      first: runs.map(({ first }) => first),
      cold: runs.map(({ load, first }) => load + first),
      warm: kept.get(variant) ?? [],
    };
  });
}

export function of(measured: readonly Measurement[], operation: Compared, build: Build): Measurement | undefined {
  return measured.find((one) => one.operation === operation && one.build === build);
}

/** All but the bare calls' do the same work; only the time that they do it at differs. */
function assertSameBodies(runs: ReadonlyMap<Variant, readonly Measured[]>): void {
  const bodies = [...runs].flatMap(([variant, [run]]) =>
    variant.build === 'bare SDK' ? [] : [{ ...variant, body: withoutTimes(run?.body ?? '') }],
  );
  for (const { operation, build, body } of bodies) {
    const ours = bodies.find((one) => one.operation === operation)?.body;
    if (!isDeepStrictEqual(body, ours)) {
      throw new Error(`${operation} by ${build} answers ${JSON.stringify(body)} and not ${JSON.stringify(ours)}`);
    }
  }
}

function withoutTimes(body: string): object {
  const { agreedAt: _agreed, revokedAt: _revoked, checkedAt: _checked, ...rest } = JSON.parse(body);
  return rest;
}
