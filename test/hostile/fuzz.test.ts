import { fuzz } from './fuzz/fuzz.ts';

/** The short run of `npm test`: some operations, and the same requests every time. `fuzz.slow.test.ts` asks them all. */
fuzz({ seed: 20_260_301, requests: 100, oneIn: 10, expectsSuccess: false });
