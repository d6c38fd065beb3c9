import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SesOptions, startSes } from '../../../lib/local/ses/ses.ts';

const from = 'no-reply@example.com';
const place = { region: 'eu-central-1', accountId: '000000000000' };
const arnOf = (resource: string) => `arn:aws:ses:eu-central-1:000000000000:${resource}`;
const arn = (identity: string) => arnOf(`identity/${identity}`);
const transport = arnOf('configuration-set/by-tls');

async function started(options: Partial<SesOptions> = {}, secretAccessKey = 'local') {
  const ses = await startSes({ ...place, ...options });
  const credentials = { accessKeyId: 'tester', secretAccessKey };
  const client = new SESv2Client({ endpoint: ses.url, region: place.region, credentials, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await ses.close();
  });
  return { ses, client, send: (to = 'a@example.com', more = {}) => client.send(new SendEmailCommand(mail(to, more))) };
}

function mail(to: string, more: Partial<SendEmailCommandInput>): SendEmailCommandInput {
  const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
  return {
    FromEmailAddress: from,
    ConfigurationSetName: 'by-tls',
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: { Subject: part('S'), Body: { Text: part('Enter:\n\n271828\n'), Html: part('<p>271828</p>') } },
    },
    ...more,
  };
}

test('a mail is taken and kept, with its code to copy', async () => {
  const { ses, send } = await started();
  const { MessageId } = await send('A@example.com');
  expect(ses.mails()).toMatchObject([
    { messageId: MessageId, from, to: 'A@example.com', subject: 'S', code: '271828' },
  ]);
});

describe('refused, and nothing is kept', () => {
  test('a call that another secret has signed', async () => {
    const { ses, send } = await started({}, 'another');
    await expect(send()).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    expect(ses.mails()).toEqual([]);
  });

  test('a mail that was changed after it was signed, and one that is not signed', async () => {
    const { ses, client, send } = await started();
    client.middlewareStack.add(
      (next) => async (args) => {
        const request = args.request as { body: string };
        request.body = request.body.replace('a@example.com', 'b@example.com');
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    await expect(send()).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    const bare = await fetch(`${ses.url}/v2/email/outbound-emails`, {
      method: 'POST',
      body: JSON.stringify(mail('a@example.com', {})),
    });
    expect([bare.status, bare.headers.get('x-amzn-errortype')]).toEqual([403, 'InvalidSignatureException']);
    expect(ses.mails()).toEqual([]);
  });

  test.each([
    ['two recipients', { Destination: { ToAddresses: ['a@example.com', 'b@example.com'] } }],
    ['an address that is none', { Destination: { ToAddresses: ['a@example.com\r\nBcc: b@example.com'] } }],
    ['no recipient', { Destination: { ToAddresses: [] } }],
    ['a sender that is none', { FromEmailAddress: 'nobody' }],
    ['no configuration set, so that it might go in plain text', { ConfigurationSetName: undefined }],
  ])('%s', async (_, more) => {
    const { ses, send } = await started();
    await expect(send('a@example.com', more)).rejects.toMatchObject({ name: 'BadRequestException' });
    expect(ses.mails()).toEqual([]);
  });
});

describe('the policies decide', () => {
  const denial = ({ action, resource }: { action: string; resource: string }) => ({
    action: `ses:${action}`,
    resource,
  });

  test.each([
    ['the address', from],
    ['its domain', 'example.com'],
  ])('a mail is sent where %s is allowed', async (_, allowed) => {
    const asked: unknown[] = [];
    const { ses, send } = await started({
      authorize: ({ context, ...call }) => {
        asked.push(context);
        return [arn(allowed), transport].includes(call.resource) ? undefined : denial(call);
      },
    });
    await send();
    expect(ses.mails()).toHaveLength(1);
    expect(asked).toEqual(Array(3).fill({ 'ses:fromaddress': [from] }));
  });

  test('and is refused where its configuration set is not', async () => {
    const { ses, send } = await started({
      authorize: (call) => (call.resource === arn(from) ? undefined : denial(call)),
    });
    await expect(send()).rejects.toMatchObject({ message: expect.stringContaining(transport) });
    expect(ses.mails()).toEqual([]);
  });

  test('and is refused where neither is', async () => {
    const { ses, send } = await started({ authorize: denial });
    await expect(send()).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(arn('example.com')),
    });
    expect(ses.mails()).toEqual([]);
  });
});

test('another operation does not run here', async () => {
  const { ses } = await started();
  expect((await fetch(`${ses.url}/v2/email/identities`)).status).toBe(404);
});

test('the latest mails are remembered', async () => {
  const { ses, send } = await started({ maximumMails: 2 });
  for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) await send(to);
  expect(ses.mails().map(({ to }) => to)).toEqual(['b@example.com', 'c@example.com']);
});
