import * as errors from '../../../functions/consents/errors.ts';
import type { Domain } from '../../../lib/contract/declarations.ts';

// @ts-expect-error TS2322: Property 'guide' is missing
export const consents: Domain = { errors };
