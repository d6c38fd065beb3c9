import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { baseUrl } from './api.ts';
import { eventually } from './eventually.ts';
import { tokenIn } from './mail/token.ts';
import { noteExchange } from './personal-data.ts';

/** The mails of the local stage, as people get them. */

export type SentMail = {
  readonly messageId: string;
  readonly fromHeader: string;
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

const signInSubjects = ['Neue Anmeldung in Ihrem Konto', 'A new sign-in to your account'];

/** Without those about sign-ins: every sign-in that proves nothing of its device sends one. */
export async function mailsTo(address: string): Promise<SentMail[]> {
  return (await allMailsTo(address)).filter(({ subject }) => !signInSubjects.includes(subject));
}

/** Waits until so many have come. @returns all of them */
export async function signInMails(count: number, address: string): Promise<SentMail[]> {
  return eventually(async () => {
    const mails = (await allMailsTo(address)).filter(({ subject }) => signInSubjects.includes(subject));
    if (mails.length < count) throw new Error(`${mails.length} mails about sign-ins, not ${count}`);
    return mails;
  });
}

async function allMailsTo(address: string): Promise<SentMail[]> {
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

/** What accepts an invitation: the token of the mail of that number, and the code that whoever invited was answered. */
export async function invitationOf(count: number, email: string, code: string) {
  return { email, token: tokenIn((await mailNumber(count, email)).text), code };
}
