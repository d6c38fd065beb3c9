import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { baseUrl } from './api.ts';
import { eventually } from './eventually.ts';
import { noteExchange } from './personal-data.ts';

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
  noteTexts(items);
  return items;
}

/** No line of a mail may stand in a log or in an error. */
function noteTexts(mails: readonly SentMail[]): void {
  const directory = inject('personalData');
  if (!directory) return;
  const lines = mails
    .flatMap(({ subject, text }) => [subject, ...text.split('\n')])
    .filter((line) => line.length >= 20);
  noteExchange(directory, { path: '/', request: lines.map((text) => ({ text })), status: 200, text: '' });
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
