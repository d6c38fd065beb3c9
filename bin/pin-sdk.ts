import { writePins } from '../lib/bundle/sdk-pins.ts';

export function run(): void {
  for (const path of writePins()) console.log(`pinned anew: ${path}`);
}
