import fc from 'fast-check';

/**
 * Properties try the same cases in every run of `npm test` and of the gate, so that chance refuses no commit. `npm run test:slow`
 * tries others each time. What fails prints its seed.
 */
if (process.env.PROPERTY_SEED !== 'any') fc.configureGlobal({ seed: 20_261_130 });
