/** The part of the public API (index.ts) that `npm start` needs first: it loads a tenth of the modules. */

export { assertCanStart } from './port.ts';
export { synthesize } from './synth.ts';
