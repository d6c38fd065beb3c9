// A file of its own, because `launchChromium` loads it when the package is installed.
export { chromium } from 'playwright-core';
