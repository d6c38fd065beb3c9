import { writePins } from '../lib/bundle/sdk-pins.ts';

/**
 * `npm run pin-sdk` writes the hashes of the SDK's modules that lib/bundle replaces or changes. Run it after an update of the SDK, when
 * somebody has compared each module that `test/bundle/sdk-pins.test.ts` names with what stands in its place.
 */

for (const path of writePins()) console.log(`pinned anew: ${path}`);
