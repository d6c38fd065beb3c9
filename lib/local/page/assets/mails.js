import { element, timeOf } from './phone.js';

/** The frames by mail id: a frame is loaded only once. */
const drawn = new Map();

export function drawMails(list, mails) {
  const items = mails.map((mail) => drawn.get(mail.messageId) ?? drawMail(mail));
  const kept = new Set(mails.map(({ messageId }) => messageId));
  for (const id of [...drawn.keys()]) if (!kept.has(id)) drawn.delete(id);
  list.replaceChildren(...items);
}

function drawMail({ time, messageId, from, to, subject, code }) {
  const item = element('li', 'mail');
  const head = element('div', 'mail-head');
  head.append(
    element('time', '', timeOf(time)),
    element('strong', '', subject),
    element('span', 'mail-addresses', `${from} to ${to}`),
  );
  if (code) head.append(copyButton(code));
  const frame = document.createElement('iframe');
  // No scripts, no forms, an origin of its own: a mail's content is not trusted.
  frame.setAttribute('sandbox', '');
  frame.title = subject;
  frame.loading = 'lazy';
  frame.src = `/_local/mails/${encodeURIComponent(messageId)}`;
  item.append(head, frame);
  drawn.set(messageId, item);
  return item;
}

function copyButton(code) {
  const button = element('button', 'copy', `Copy ${code}`);
  button.type = 'button';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code);
    button.textContent = `Copied ${code}`;
  });
  return button;
}
