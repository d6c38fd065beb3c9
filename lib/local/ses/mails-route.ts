import type { ServerResponse } from 'node:http';
import { sendItems, sendText } from '../page/answers.ts';
import type { Mail, Ses } from './ses.ts';

/**
 * `GET /_local/mails[?to=address]`: the sent mails, oldest first; `GET /_local/mails/ID`: the mail's HTML as a mailbox
 * shows it, without scripts, forms and external content.
 *
 * @returns false for every other path
 */
export function answerMails(response: ServerResponse, url: URL, ses: Pick<Ses, 'mails'>): boolean {
  const [, id] = /^\/_local\/mails(?:\/([\w-]+))?$/.exec(url.pathname) ?? [];
  if (id !== undefined) {
    const [mail] = ses.mails(({ messageId }) => messageId === id);
    if (!mail) return false;
    // Replaces the page's own policy: a mail has its styles in its tags, and the page shows it in a frame.
    const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";
    sendText(response.setHeader('Content-Security-Policy', policy), 200, mail.html, 'text/html');
    return true;
  }
  if (url.pathname !== '/_local/mails') return false;
  const to = url.searchParams.get('to')?.toLowerCase();
  sendItems(
    response,
    ses.mails((mail) => to === undefined || mail.to.toLowerCase() === to),
  );
  return true;
}

/** The parts of a mail that the page draws; the mail's frame fetches the HTML. */
export function shownMail({ time, messageId, fromHeader, to, subject, code }: Mail) {
  return { time, messageId, from: fromHeader, to, subject, code };
}
