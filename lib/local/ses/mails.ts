import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';

/** A mail that SES accepted. */
export type Mail = {
  /** ISO 8601. */
  readonly time: string;
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A code to copy: a line that has only digits; null if there is none. */
  readonly code: string | null;
};

const Data = z.object({ Data: z.string() });
const Address = z.string().check(z.regex(/^[^\s@<>]+@[^\s@<>]+$/), z.maxLength(320));
const Input = z.object({
  FromEmailAddress: Address,
  Destination: z.object({ ToAddresses: z.tuple([Address]) }),
  Content: z.object({ Simple: z.object({ Subject: Data, Body: z.object({ Text: Data, Html: Data }) }) }),
});

/** @param input of SendEmail. @returns what is wrong with it */
export function readMail(input: unknown): Mail | string {
  const read = z.safeParse(Input, input);
  if (!read.success) return `a mail of one address with text and HTML is taken here: ${z.prettifyError(read.error)}`;
  const { FromEmailAddress: from, Destination, Content } = read.data;
  const { Subject, Body } = Content.Simple;
  return {
    time: new Date().toISOString(),
    messageId: randomUUID(),
    from,
    to: Destination.ToAddresses[0],
    subject: Subject.Data,
    text: Body.Text.Data,
    html: Body.Html.Data,
    code: /^\s*(\d{6,12})\s*$/m.exec(Body.Text.Data)?.[1] ?? null,
  };
}
