import type { ServerResponse } from 'node:http';
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
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      // Replaces the page's own policy: a mail has its styles in its tags, and the page shows it in a frame.
      'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    });
    response.end(mail.html);
    return true;
  }
  if (url.pathname !== '/_local/mails') return false;
  const to = url.searchParams.get('to')?.toLowerCase();
  const items = ses.mails((mail) => to === undefined || mail.to.toLowerCase() === to);
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ items, metadata: { count: items.length } }, null, 2));
  return true;
}

/** The parts of a mail that the page draws; the mail's frame fetches the HTML. */
export function shownMail({ time, messageId, fromHeader, to, subject, code }: Mail) {
  return { time, messageId, from: fromHeader, to, subject, code };
}
