/** The part of the door (index.ts) that `npm start` needs first: it loads a tenth of the modules. */

export { assertCanStart } from './start-check.ts';
export { synthesize } from './synth.ts';
