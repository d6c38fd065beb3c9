import { CreatePlatformEndpointCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { seed } from '../../../bin/seed.ts';
import { startStage } from '../../../bin/stage.ts';
import type { RunningStage } from '../../../lib/local/stage.ts';
import { eventually } from '../../eventually.ts';
import { hangMs } from '../../hang.ts';
import { type Browser, chromiumPath, launchChromium, noChromium, type Page } from '../../tools/browser/chromium.ts';
import { silent, visible } from './payloads.ts';

const why = chromiumPath ? '' : ` (${noChromium})`;
const inChromium = test.skipIf(!chromiumPath);

let stage: RunningStage;
let browser: Browser;
let sns: SNSClient;

beforeAll(async () => {
  if (!chromiumPath) return;
  stage = await startStage({ seed });
  const { region, credentials } = stage.data;
  sns = new SNSClient({ endpoint: stage.sns?.url ?? '', region, credentials });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  sns?.destroy();
  await stage?.close();
});

/** What a page must never do is checked at its end: errors on the console, and requests to elsewhere. */
async function openPage(path: string): Promise<Page> {
  const origin = `http://localhost:${stage.port}`;
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(hangMs);
  const wrong: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('dialog', (dialog) => wrong.push(`a script ran: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) wrong.push(request.url());
  });
  onTestFinished(async () => {
    await page.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(`${origin}${path}`);
  return page;
}

async function register(platform: 'APNS' | 'APNS_SANDBOX' | 'GCM', Token: string): Promise<string> {
  const application = stage.sns?.platformApplications().find((each) => each.platform === platform);
  if (!application) throw new Error(`The template tells of no platform application of ${platform}.`);
  const PlatformApplicationArn = application.arn;
  const { EndpointArn } = await sns.send(new CreatePlatformEndpointCommand({ PlatformApplicationArn, Token }));
  return EndpointArn ?? '';
}

function publish(TargetArn: string, Message: string): Promise<unknown> {
  return sns.send(new PublishCommand({ TargetArn, Message, MessageStructure: 'json' }));
}

const phoneOf = (page: Page, arn: string) => page.locator('.phone', { hasText: arn.slice(-8) });

inChromium(`a push is a banner and a badge, and a silent one is only the badge${why}`, async () => {
  const iphone = await register(platforms().apple, 'aa'.repeat(32));
  const android = await register('GCM', 'fcm:android');
  const page = await openPage('/_local/');
  const phone = phoneOf(page, iphone);
  await phone.waitFor();
  expect(await phone.locator('.badge').isVisible()).toBe(false);

  await publish(iphone, visible({ title: 'A message for you', body: 'Open the app to read it.', badge: 4 }));
  await phone.getByText('A message for you').waitFor();
  expect(await phone.locator('.banner-body').innerText()).toBe('Open the app to read it.');
  expect(await phone.locator('.badge').innerText()).toBe('4');

  await publish(iphone, silent('3'));
  await phone.getByText('silent: badge_sync → 3').waitFor();
  expect(await phone.locator('.badge').innerText()).toBe('3');
  expect(await phone.locator('.banner').count()).toBe(1);

  const other = phoneOf(page, android);
  expect(await other.locator('.banner').count()).toBe(0);
  await publish(android, visible({ title: 'Auf Android', body: '…', badge: 1 }));
  await other.getByText('Auf Android').waitFor();
  await page.locator('#device-rows').getByText(android.slice(-8)).waitFor();

  await page.reload();
  await phone.getByText('silent: badge_sync → 3').waitFor();
  expect(await phone.locator('.badge').innerText()).toBe('3');
  expect(await phone.locator('.banner-title').innerText()).toBe('A message for you');
  await publish(iphone, silent('0'));
  await phone.getByText('silent: badge_sync → 0').waitFor();
  expect(await phone.locator('.badge').isVisible()).toBe(false);
});

inChromium(`what a push says is text, whatever it says${why}`, async () => {
  const arn = await register('GCM', 'fcm:hostile');
  const page = await openPage('/_local/');
  const title = '<img src="https://a.example/x.png" onerror="alert(1)"><script>alert(2)</script>';
  await publish(arn, visible({ title, body: '</li><style>*{display:none}</style>\u202e' }));
  await phoneOf(page, arn).getByText(title).waitFor();
  expect(await page.locator('.phone script, .banner img, .banner style').count()).toBe(0);
});

inChromium(`routes lead into the reference, and requests are listed as they come${why}`, async () => {
  const page = await openPage('/_local/');
  await page.locator('.route', { hasText: '/de/v1/users/agreements/{agreementId}/consent' }).waitFor();
  expect(await page.locator('.route-list h3').allInnerTexts()).toEqual(['sleepcare', 'medinfo']);
  await fetch(`${stage.url}/de/v1/users/me`);
  const line = page.locator('.requests li', { hasText: '/de/v1/users/me' });
  await line.waitFor();
  expect(await line.locator('.status').innerText()).toBe('401');
  await page.locator('.route[href$="/users/readProfile"]').first().click();
  await page.locator('#operations-users-readProfile .opblock-body').waitFor();
});

inChromium(`an operation of the reference is tried out as a seeded user${why}`, async () => {
  const page = await openPage('/_local/reference/#/users/readProfile');
  const operation = page.locator('#operations-users-readProfile');
  await operation.locator('.opblock-body').waitFor();
  await eventually(async () => expect(await page.locator('.opblock').count()).toBeGreaterThan(10));
  for (const [user, base] of [['patient@example.com', '/de/v1']] as const) {
    const option = page.locator('#user option', { hasText: user });
    await page.locator('#user').selectOption(await option.getAttribute('value'));
    await page.getByText(`signed in, at ${base}`).waitFor();
    await eventually(async () =>
      expect(await page.locator('#client option').allInnerTexts()).toContain('developer-tools'),
    );
    await operation.locator('button.execute').click();
    await operation.locator('.live-responses-table').getByText(user).first().waitFor();
    expect(await operation.locator('.request-url').innerText()).toContain(`:${stage.port}${base}/users/me`);
  }
});

inChromium(
  `and so it is in the other application, which has more operations than are rendered at once${why}`,
  async () => {
    const page = await openPage('/_local/reference/#/users/readProfile');
    const operation = page.locator('#operations-users-readProfile');
    await operation.locator('.opblock-body').waitFor();
    const option = page.locator('#user option', { hasText: 'physician@example.com' });
    await page.locator('#user').selectOption(await option.getAttribute('value'));
    await page.getByText('signed in, at /v2').waitFor();
    await eventually(async () =>
      expect(await page.locator('#client option').allInnerTexts()).toContain('developer-tools'),
    );
    await page.locator('.operations-virtual').waitFor();
    await operation.locator('button.execute').click();
    await operation.locator('.live-responses-table').getByText('physician@example.com').first().waitFor();
    expect(await operation.locator('.request-url').innerText()).toContain(`:${stage.port}/v2/users/me`);
  },
);

inChromium(`a link leads to an operation far down the list${why}`, async () => {
  const page = await openPage('/_local/reference/#/staff/inviteStaff');
  const operation = page.locator('#operations-staff-inviteStaff');
  await operation.locator('.opblock-body').waitFor();
  await eventually(async () => {
    const { y } = (await operation.boundingBox()) ?? { y: -1 };
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(900);
  });
});

inChromium(
  `the reference is of one application, whose groups are described, and its examples are filled in${why}`,
  async () => {
    const page = await openPage('/_local/reference/#/agreements/createAgreement');
    await page.locator('#operations-agreements-createAgreement .opblock-body').waitFor();
    expect(await page.locator('#application').inputValue()).toBe('medinfo');
    expect(await page.locator('#operations-agreements-createAgreement textarea').first().inputValue()).toContain(
      'sleep-diary',
    );
    const codes = await page
      .locator('#operations-agreements-createAgreement .responses-table .response-col_status')
      .allInnerTexts();
    expect(codes.filter((code) => /^\d/.test(code))[0]).toMatch(/^201/);
    await page.locator('#application').selectOption('sleepcare');
    await page.locator('#operations-tag-devices').waitFor();
    await eventually(async () => expect(await page.locator('#operations-agreements-createAgreement').count()).toBe(0));
    expect(await page.locator('#operations-tag-devices').innerText()).toContain('phones and their push tokens');
  },
);

/** The kind of iPhone that the template names. */
function platforms() {
  const apple = stage.sns?.platformApplications().find(({ platform }) => platform !== 'GCM')?.platform;
  return { apple: apple === 'APNS' ? ('APNS' as const) : ('APNS_SANDBOX' as const) };
}
