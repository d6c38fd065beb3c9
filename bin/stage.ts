import { environments, seededUsers } from '../functions/product.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import * as local from '../lib/local/index.ts';
import { admit } from './admit.ts';
import { functionLimitsMs } from './function-limits.ts';
import { productLocation } from './product-location.ts';

/** The local stage of this product. */

export type StageOptions = Partial<Omit<local.StageOptions, 'product'>>;

/** @throws PortTaken, or an Error that says why there is no template, or why it cannot run here. */
export function startStage(options: StageOptions = {}): Promise<local.RunningStage> {
  return local.startStage({
    product: productLocation,
    environment: 'dev',
    users: seededUsers,
    functionLimitsMs,
    admit,
    ...options,
  });
}

/** @throws an Error that lists the environments, or has the compiler's or the construct's message. */
export async function synthesize(environment: string, options: local.SynthesisOptions = {}): Promise<local.Synthesis> {
  return local.synthesize(productLocation, environmentNamed(environments, environment), options);
}
