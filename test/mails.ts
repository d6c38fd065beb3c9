import { randomUUID } from 'node:crypto';
import { baseUrl } from './api.ts';
import { eventually } from './eventually.ts';

/** The mails of the local stage, as people get them. */

export type SentMail = {
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly code: string | null;
};

/** Of nobody yet. */
export function newAddress(): string {
  return `mail-${randomUUID()}@example.com`;
}

export async function mailsTo(address: string): Promise<SentMail[]> {
  const answer = await fetch(new URL(`/_local/mails?to=${encodeURIComponent(address)}`, baseUrl()));
  const { items } = (await answer.json()) as { items: SentMail[] };
  return items;
}

/** Waits until so many mails have come. @returns the last of them */
export async function mailNumber(count: number, address: string): Promise<SentMail> {
  return eventually(async () => {
    const mail = (await mailsTo(address)).at(count - 1);
    if (!mail) throw new Error(`there is no mail number ${count}`);
    return mail;
  });
}

/** The code of the mail of that number. */
export async function codeOf(count: number, address: string): Promise<string> {
  const { code } = await mailNumber(count, address);
  if (code === null) throw new Error('the mail has no code');
  return code;
}
