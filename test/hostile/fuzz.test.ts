import { fuzz } from './fuzz/fuzz.ts';

/** The short run of `npm test`: the same requests every time. `fuzz.slow.test.ts` is the long one. */
fuzz({ seed: 20_260_301, requests: 600, expectsSuccess: false });
