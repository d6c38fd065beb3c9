import type { ServerResponse } from 'node:http';
import type { Mail, Ses } from './ses.ts';

/**
 * `GET /_local/mails[?to=address]`: what was sent, oldest first; `GET /_local/mails/ID`: its HTML as a mailbox shows it, without
 * scripts, forms and anything from elsewhere.
 *
 * @returns false for what is neither
 */
export function answerMails(response: ServerResponse, url: URL, ses: Pick<Ses, 'mails'>): boolean {
  const [, id] = /^\/_local\/mails(?:\/([\w-]+))?$/.exec(url.pathname) ?? [];
  if (id !== undefined) {
    const [mail] = ses.mails(({ messageId }) => messageId === id);
    if (!mail) return false;
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      // In place of the page's own: a mail's styles stand in its tags, and the page frames it.
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

/** What the page draws of a mail: its HTML is fetched by its frame. */
export function shownMail({ time, messageId, from, to, subject, code }: Mail) {
  return { time, messageId, from, to, subject, code };
}
