import { environments, seededUsers } from '../functions/product.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import * as local from '../lib/local/index.ts';
import * as limits from '../lib/runtime/limits.ts';
import { admit } from './admit.ts';
import { place } from './place.ts';

/** The local stage of this product. */

/** Of the SDK's clients. */
const functionLimitsMs = Object.values(limits).flatMap((limit) => {
  return typeof limit === 'number' ? [] : [limit.requestHandler.connectionTimeout, limit.requestHandler.requestTimeout];
});

export type StageOptions = Partial<Omit<local.StageOptions, 'product'>>;

/** @throws PortTaken, or an Error that says why there is no template, or why it cannot run here. */
export function startStage(options: StageOptions = {}): Promise<local.RunningStage> {
  return local.startStage({
    product: place,
    environment: 'dev',
    users: seededUsers,
    functionLimitsMs,
    admit,
    ...options,
  });
}

/** @throws an Error that lists the environments, or has the compiler's or the construct's message. */
export async function synthesize(environment: string, options: local.SynthesisOptions = {}): Promise<local.Synthesis> {
  return local.synthesize(place, environmentNamed(environments, environment), options);
}
