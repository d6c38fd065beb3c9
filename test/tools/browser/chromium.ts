import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { loadTool } from '../../../bin/tools.ts';

export type { Browser, Page };

/** Debian's, or another's at `CHROMIUM_PATH`; null where there is none. Playwright's own is never downloaded. */
export const chromiumPath: string | null =
  [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find((path) => path && existsSync(path)) ?? null;

export const noChromium = 'skipped: no Chromium at CHROMIUM_PATH or /usr/bin/chromium (apt-get install chromium)';

if (!chromiumPath) console.warn(`The page in a browser: ${noChromium}`);

export async function launchChromium(): Promise<Browser> {
  const { chromium } = await loadTool<typeof import('./driver.ts')>(new URL('./driver.ts', import.meta.url));
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
