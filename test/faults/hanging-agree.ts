import { agree } from '../../functions/consents/routes.ts';
import { lambdaWithClock } from '../../lib/runtime/clock.ts';
import { serve } from '../../lib/runtime/serve.ts';

/** Bundled in place of the real one: waits for what never comes, as a call without a time-out would. */
export const handler = serve(agree)(() => new Promise<never>(() => {}))(lambdaWithClock);
