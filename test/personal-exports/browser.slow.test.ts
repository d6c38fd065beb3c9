import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportedDomains, exportedFiles } from '../../functions/generated/exported-domains.ts';
import { indexPage } from '../../functions/personal-exports/rules/index-page.ts';
import {
  footOfAgreement,
  footOfList,
  headOfAgreement,
  headOfList,
  itemsOfList,
} from '../../functions/receipts/rules/consent-list.ts';
import { temporaryFolder } from '../local/stage/local-process.ts';
import { type Browser, chromiumPath, launchChromium, noChromium } from '../tools/browser/chromium.ts';

/** The pages of an export as a person opens them: from a folder, in a browser, on a phone and on a desk. */

const why = chromiumPath ? '' : ` (${noChromium})`;
let browser: Browser;
beforeAll(async () => {
  if (chromiumPath) browser = await launchChromium();
});
afterAll(() => browser?.close());

const hostile = '<script>alert(1)</script><img src=x onerror="alert(2)"> & "quoted"';
const record = {
  userId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  agreementId: 'marketing',
  recordedAt: '2026-03-01T12:00:00.000Z',
  sequence: 1,
  recordId: '5f0c1e1e-8f6b-4a57-9a55-1c2b7e4f0a11',
  action: 'agreed',
  versionId: 'marketing-1.0',
  contentHash: 'a'.repeat(64),
  locale: 'de',
  localeSource: 'stated',
  appVersion: hostile,
  requestId: 'r',
  source: 'user',
  previousHash: null,
  hash: 'b'.repeat(64),
} as const;

function written(locale: 'en' | 'de'): string {
  const folder = temporaryFolder();
  const zone = 'Europe/Berlin';
  const listed = [
    { record, text: { title: hostile, contentUrl: 'https://example.com/a' }, receipt: 'x'.repeat(900) },
    { record: { ...record, action: 'revoked' as const, sequence: 2 }, text: null, receipt: null },
  ];
  const consents =
    headOfList(locale, zone) +
    headOfAgreement('marketing', hostile) +
    itemsOfList(listed, locale, zone) +
    footOfAgreement +
    footOfList(locale, false);
  const index = indexPage({
    userId: record.userId,
    locale,
    timeZone: zone,
    requestedAt: '2026-03-01T11:59:00.000Z',
    madeAt: '2026-03-01T12:00:00.000Z',
    domains: exportedDomains,
    files: exportedFiles,
    entries: (domain) => domain.length % 3,
  });
  writeFileSync(join(folder, 'index.html'), index);
  writeFileSync(join(folder, 'consents.html'), consents);
  return folder;
}

const shots = process.env.SCREENSHOTS;

describe.each(['en', 'de'] as const)('%s', (locale) => {
  test.skipIf(!chromiumPath).each([
    ['index.html', 390],
    ['index.html', 1280],
    ['consents.html', 390],
    ['consents.html', 1280],
  ])(`%s at %i pixels is whole, and runs and asks for nothing${why}`, async (file, width) => {
    const folder = written(locale);
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const wrong: string[] = [];
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('dialog', (dialog) => wrong.push(dialog.message()));
    page.on('request', (request) => request.url().endsWith(file) || wrong.push(request.url()));
    await page.goto(pathToFileURL(join(folder, file)).href);
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    expect(await page.locator('h1').count()).toBe(1);
    // Nothing of it is wider than the screen.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await page.locator('script, img').count()).toBe(0);
    if (file === 'consents.html') expect(await page.getByText(hostile, { exact: true }).count()).toBeGreaterThan(0);
    if (shots) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${locale}-${file}-${width}.png`), fullPage: true });
    }
    if (file === 'index.html') {
      await page.getByRole('link', { name: 'consents.html' }).click();
      expect(page.url()).toContain('consents.html');
      wrong.splice(0, wrong.length, ...wrong.filter((line) => !line.endsWith('consents.html')));
    }
    expect(wrong).toEqual([]);
    await page.close();
  });
});
