import { fuzz } from './fuzz/fuzz.ts';

/** CI's run: other requests each time. `FUZZ_SEED` repeats one, `FUZZ_REQUESTS` makes it longer. */
const { FUZZ_SEED, FUZZ_REQUESTS } = process.env;
const seed = Number(FUZZ_SEED ?? Date.now() % 2 ** 31);
const requests = Number(FUZZ_REQUESTS ?? 10_000);

console.log(`fuzzing with FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`);
fuzz({ seed, requests, oneIn: 1, expectsSuccess: true });
