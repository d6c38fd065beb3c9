import { fuzz } from './fuzz/fuzz.ts';

/** CI sends the same requests each time, so that no change fails by luck. `FUZZ_SEED=random` explores, `FUZZ_REQUESTS` makes it longer. */
const { FUZZ_SEED, FUZZ_REQUESTS } = process.env;
const seed = FUZZ_SEED === 'random' ? Date.now() % 2 ** 31 : Number(FUZZ_SEED ?? 20_261_123);
const requests = Number(FUZZ_REQUESTS ?? 4000);

console.log(`fuzzing with FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`);
fuzz({ seed, requests, oneIn: 1, expectsSuccess: true });
