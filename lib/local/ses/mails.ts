import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';

/** A mail that SES accepted. */
export type Mail = {
  /** ISO 8601. */
  readonly time: string;
  readonly messageId: string;
  /** The address, without the display name. */
  readonly from: string;
  /** With the display name. */
  readonly fromHeader: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The configuration set. */
  readonly transport: string;
  /** A code to copy: a line that has only digits; null if there is none. */
  readonly code: string | null;
};

const Data = z.object({ Data: z.string() });
const Address = z.string().check(z.regex(/^[^\s@<>]+@[^\s@<>]+$/), z.maxLength(320));
/** With a display name or without: `"Sleepcare" <no-reply@example.com>`, or an encoded word of RFC 2047 in the place of the quoted one. */
const From = z
  .string()
  .check(
    z.regex(
      /^(?:(?:"(?:[^"\\]|\\.)*"|=\?UTF-8\?B\?[A-Za-z0-9+/=]{1,60}\?=) <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
    ),
    z.regex(/^[ -~]*$/),
    z.maxLength(320),
  );
const Input = z.object({
  FromEmailAddress: From,
  // SES takes a mail without one, and may hand it over in plain text: none of ours may go so.
  ConfigurationSetName: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)),
  // SES has no SMTPUTF8: a domain comes in its ASCII form.
  Destination: z.object({ ToAddresses: z.tuple([Address.check(z.regex(/^[ -~]*$/))]) }),
  Content: z.object({ Simple: z.object({ Subject: Data, Body: z.object({ Text: Data, Html: Data }) }) }),
});

/** @param input of SendEmail. @returns what is wrong with it */
export function readMail(input: unknown): Mail | string {
  const read = z.safeParse(Input, input);
  if (!read.success) return `a mail of one address with text and HTML is taken here: ${z.prettifyError(read.error)}`;
  const { FromEmailAddress: from, ConfigurationSetName: transport, Destination, Content } = read.data;
  const { Subject, Body } = Content.Simple;
  return {
    time: new Date().toISOString(),
    messageId: randomUUID(),
    from: /<(.+)>$/.exec(from)?.[1] ?? from,
    fromHeader: from,
    to: Destination.ToAddresses[0],
    subject: Subject.Data,
    text: Body.Text.Data,
    html: Body.Html.Data,
    transport,
    code: /^\s*(\d{6,12})\s*$/m.exec(Body.Text.Data)?.[1] ?? null,
  };
}
