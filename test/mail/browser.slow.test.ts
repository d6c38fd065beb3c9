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
const link = `https://medinfo.example.com/invitations#01234567.${'0'.repeat(43)}`;
const values = {
  code: '271828',
  link,
  device: 'x'.repeat(100),
  left: '9',
  member: `${'x'.repeat(60)}@example.com`,
  roles: 'physician, crm-admin, researcher, support, admin',
  until: '2026-12-06T07:13:00.000Z',
  at: '2026-12-06T07:13:00.000Z',
};

/** Runs in the page. */
const inPage =
  '({ overflow: document.documentElement.scrollWidth - innerWidth, title: document.title, language: document.documentElement.lang })';

const sender = { name: 'Sleepcare', contact: 'help@sleepcare.example.com' };

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath) browser = await launchChromium();
});
afterAll(() => browser?.close());

test.skipIf(!chromiumPath).each(mailLanguages)(`every mail in %s fits a phone and a window${why}`, async (language) => {
  for (const width of [320, 1024]) {
    const page = await browser.newPage({ viewport: { width, height: 500 } });
    for (const kind of kinds) {
      const { html, subject } = written(kind, sender, { language, timeZone: null }, values);
      await page.setContent(html);
      const shown = await page.evaluate(inPage);
      expect([kind, shown]).toEqual([kind, { overflow: 0, title: subject, language }]);
      if (!folder) continue;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${kind}-${language}-${width}.png`), fullPage: true });
    }
    await page.close();
  }
});
