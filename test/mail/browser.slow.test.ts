import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailKind, mailKinds } from '../../functions/mail/rules/kinds.ts';
import { mailLanguages, written } from '../../functions/mail/rules/render.ts';
import { type Browser, chromiumPath, launchChromium, noChromium } from '../tools/browser/chromium.ts';

/** Each mail as a narrow phone and a wide window show it. With `MAIL_PICTURES` (a folder) the pictures are kept, to be looked at. */

const why = chromiumPath ? '' : ` (${noChromium})`;
const folder = process.env.MAIL_PICTURES;
const kinds = Object.keys(mailKinds) as MailKind[];
// A long name without a space is the worst that a device can call itself.
const values = { code: '271828', device: 'x'.repeat(100), left: '9' };

/** Runs in the page. */
const inPage =
  '({ overflow: document.documentElement.scrollWidth - innerWidth, title: document.title, language: document.documentElement.lang })';

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath) browser = await launchChromium();
});
afterAll(() => browser?.close());

test.skipIf(!chromiumPath).each(mailLanguages)(`every mail in %s fits a phone and a window${why}`, async (language) => {
  for (const width of [320, 1024]) {
    const page = await browser.newPage({ viewport: { width, height: 500 } });
    for (const kind of kinds) {
      await page.setContent(written(kind, language, values).html);
      const shown = await page.evaluate(inPage);
      expect([kind, shown]).toEqual([kind, { overflow: 0, title: written(kind, language, values).subject, language }]);
      if (!folder) continue;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${kind}-${language}-${width}.png`), fullPage: true });
    }
    await page.close();
  }
});
