import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { Written } from '../rules/render.ts';

/** SES refuses the address or the text as such: to try again changes nothing. */
const forGood = 'BadRequestException';

/** An error of SES's without its message, which quotes the address: errors are logged. */
class MailFailure extends Error {
  override readonly name: string;

  constructor(name: string) {
    super();
    this.name = `Mail.${name}`;
  }
}

/** @returns false where SES will never take it */
export async function sendEmail(
  client: SESv2Client,
  { from, transport, to, mail }: { from: string; transport: string; to: string; mail: Written },
): Promise<boolean> {
  const Charset = 'UTF-8';
  const command = new SendEmailCommand({
    FromEmailAddress: from,
    // It requires TLS: without it SES would also hand a mail over in plain text.
    ConfigurationSetName: transport,
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: { Data: mail.subject, Charset },
        Body: { Text: { Data: mail.text, Charset }, Html: { Data: mail.html, Charset } },
        // RFC 3834: no mailbox answers it by itself.
        Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
      },
    },
  });
  try {
    await client.send(command);
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === forGood) return false;
    throw '$fault' in error ? new MailFailure(error.name) : error;
  }
}
