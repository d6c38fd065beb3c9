import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openExport } from '../../bin/analytics/answers.ts';
import { makeReport } from '../../bin/report/make.ts';
import { chromiumPath, launchChromium } from '../tools/browser/chromium.ts';
import { exportId, exportSynthetic } from './synthetic-export.ts';

const folder = mkdtempSync(join(tmpdir(), 'report-'));

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
type Drawn = {
  readonly name: string;
  readonly frame: Box;
  readonly texts: readonly (Box & { readonly text: string })[];
};

/** For the browser: where each plot is, and each text in it. */
const boxes = `[...document.querySelectorAll('svg')].map((svg) => {
  const boxOf = (of) => { const { left, right, top, bottom } = of.getBoundingClientRect(); return { left, right, top, bottom }; };
  const texts = [...svg.querySelectorAll('text')].map((text) => ({ text: text.textContent, ...boxOf(text) }));
  return { name: svg.getAttribute('aria-label'), frame: boxOf(svg), texts: texts.filter(({ text }) => text.trim() !== '') };
})`;

function areOver(one: Box, other: Box): boolean {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 2 && height > 4;
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!chromiumPath)(
  'a browser shows it, light and dark: no text on another, none outside of its plot',
  async () => {
    await exportSynthetic(folder, { patients: 40, days: 80, seed: 3, until: '2026-03-01' });
    const answers = await openExport(folder, exportId);
    const path = join(folder, 'report.html');
    writeFileSync(path, (await makeReport(answers, new Date('2026-03-02T00:00:00.000Z'), 'Made up')).page);
    answers.close();
    const browser = await launchChromium();
    const backgrounds = new Set<string>();
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ colorScheme, viewport: { width: 1000, height: 800 } });
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        page.on('request', (request) => {
          if (!request.url().startsWith('file:')) complaints.push(request.url());
        });
        await page.goto(pathToFileURL(path).href);
        backgrounds.add(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
        const found = (await page.evaluate<Drawn[]>(boxes)).flatMap(({ name, frame, texts }) => {
          const outside = texts.filter(
            ({ left, right, bottom }) => left < frame.left - 1 || right > frame.right + 1 || bottom > frame.bottom + 1,
          );
          const covered = texts.filter((one, i) => texts.slice(i + 1).some((other) => areOver(one, other)));
          expect(texts.length, name).toBeGreaterThan(5);
          return [...outside, ...covered].map(({ text }) => `${name}: ${text}`);
        });
        expect(found).toEqual([]);
        expect(complaints).toEqual([]);
        await page.close();
      }
    } finally {
      await browser.close();
    }
    expect(backgrounds.size).toBe(2);
  },
  60_000,
);
