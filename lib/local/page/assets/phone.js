/**
 * What a phone shows after its pushes. Everything in them is hostile input: it is shown only as text, by textContent.
 */

const BANNERS = 3;

/** @param {object[]} pushes of one endpoint, oldest first */
export function screenOf(pushes) {
  const screen = { badge: null, banners: [], note: '' };
  for (const push of pushes) apply(screen, push);
  return screen;
}

function apply(screen, push) {
  if (push.failure) {
    screen.note = `not delivered: ${push.failure}`;
    return;
  }
  const badge = badgeIn(push);
  if (badge !== null) screen.badge = badge;
  if (push.kind === 'silent') {
    screen.note = ['silent:', nameOf(push), ...(badge === null ? [] : ['→', badge])].join(' ');
    return;
  }
  screen.note = '';
  if (!push.banner) return;
  const others = screen.banners.filter(({ collapseId }) => collapseId === null || collapseId !== push.collapseId);
  screen.banners = [push, ...others].slice(0, BANNERS);
}

/** The system's badge, or the one that the app sets itself after a silent push: `data.badge`, a string of digits. */
function badgeIn({ kind, badge, data }) {
  if (badge !== null) return badge;
  const own = kind === 'silent' ? String(data.badge ?? '') : '';
  return /^\d{1,6}$/.test(own) ? Number(own) : null;
}

function nameOf({ data }) {
  return typeof data.type === 'string' && data.type !== '' ? data.type : 'background push';
}

/** Draws into a copy of the page's template, or into the existing copy. */
export function drawPhone(phone, device, pushes) {
  const { badge, banners, note } = screenOf(pushes);
  const part = (name) => phone.querySelector(`.${name}`);
  phone.dataset.platform = device.platform === 'GCM' ? 'android' : 'ios';
  phone.classList.toggle('disabled', !device.enabled);
  part('clock').textContent = timeOf(Date.now(), { hour: '2-digit', minute: '2-digit' });
  part('banners').replaceChildren(...banners.map((push) => banner(push, device)));
  part('note').textContent = note;
  part('app-name').textContent = device.application;
  const dot = part('badge');
  const text = badge === null || badge === 0 ? '' : badge > 999 ? '999+' : String(badge);
  if (dot.textContent !== text) {
    dot.textContent = text;
    dot.hidden = text === '';
    // Restarts the animation.
    dot.classList.remove('changed');
    void dot.offsetWidth;
    dot.classList.add('changed');
  }
  part('app-icon').setAttribute('aria-label', text === '' ? 'no badge' : `badge ${text}`);
  part('caption').textContent = captionOf(device);
}

function banner(push, device) {
  const item = element('li', 'banner');
  const head = element('p', 'banner-head');
  const time = element('time', '', timeOf(push.time));
  time.dateTime = push.time;
  head.append(element('span', 'banner-app', device.application), time);
  item.append(head);
  if (push.banner.title !== null) item.append(element('p', 'banner-title', push.banner.title));
  if (push.banner.body !== null) item.append(element('p', 'banner-body', push.banner.body));
  return item;
}

export function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

export function timeOf(date, options = { hour: '2-digit', minute: '2-digit', second: '2-digit' }) {
  return new Date(date).toLocaleTimeString([], { hour12: false, ...options });
}

export function platformName(platform) {
  return { APNS: 'iOS', APNS_SANDBOX: 'iOS sandbox', GCM: 'Android' }[platform] ?? platform;
}

export function shortArn(arn) {
  return `…${arn.slice(-8)}`;
}

function captionOf({ platform, endpoint, enabled }) {
  return [platformName(platform), shortArn(endpoint), ...(enabled ? [] : ['disabled'])].join(' · ');
}
