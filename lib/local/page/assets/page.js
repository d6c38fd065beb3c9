import { drawMails } from './mails.js';
import { drawPhone, element, platformName, shortArn, timeOf } from './phone.js';

const PHONES = 24;
const ROWS = 200;
const RECENT = 20;
const REQUESTS = 50;
const MAILS = 20;

const byId = (id) => document.getElementById(id);
/** For each endpoint: the device, its pushes (oldest first), its drawing. */
const pushes = new Map();
const phones = new Map();
let devices = [];
let requests = [];
let mails = [];
let isDrawing = false;

const events = new EventSource('/_local/events');
const on = (name, take) => events.addEventListener(name, ({ data }) => take(JSON.parse(data)));

on('snapshot', (snapshot) => {
  pushes.clear();
  for (const push of snapshot.pushes) keep(push);
  requests = [...snapshot.requests].reverse();
  devices = snapshot.devices;
  if (!snapshot.hasPushes)
    byId('no-phones').textContent = 'SNS runs elsewhere (SNS_ENDPOINT), so no pushes are shown here.';
  mails = [...snapshot.mails].reverse();
  if (!snapshot.hasMails)
    byId('no-mails').textContent = 'SES runs elsewhere (SES_ENDPOINT), so no mails are shown here.';
  connection('live');
  showMails();
  drawSoon();
  drawRequests();
  // The template may have changed after a restart of the stage.
  drawRoutes();
});
on('devices', (latest) => {
  devices = latest;
  drawSoon();
});
on('push', (push) => {
  keep(push);
  const device = devices.find(({ endpoint }) => endpoint === push.endpoint);
  if (device) device.lastPush = push;
  drawSoon();
});
on('mail', (mail) => {
  mails = [mail, ...mails].slice(0, MAILS);
  showMails();
});
on('request', (line) => {
  requests = [line, ...requests].slice(0, REQUESTS);
  drawRequests();
});
events.addEventListener('error', () => connection('waiting for the stage'));

function connection(text) {
  byId('connection').textContent = text;
  byId('connection').dataset.state = text === 'live' ? 'live' : 'waiting';
}

function keep(push) {
  pushes.set(push.endpoint, [...(pushes.get(push.endpoint) ?? []), push].slice(-RECENT));
}

/**
 * Draws once for all changes before the next frame. A hidden tab has no frames; it is drawn when it is visible again.
 */
function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    drawPhones();
    drawDevices();
  });
}

function drawPhones() {
  const shown = latestFirst().slice(0, PHONES);
  // In the order of their registration, so a phone keeps its place while pushes come.
  const inPlace = devices.filter((device) => shown.includes(device));
  for (const device of inPlace) {
    const drawn = phones.get(device.endpoint) ?? newPhone(device.endpoint);
    drawPhone(drawn, device, pushes.get(device.endpoint) ?? []);
  }
  const wanted = inPlace.map(({ endpoint }) => phones.get(endpoint));
  const there = [...byId('phones').children];
  if (wanted.length !== there.length || wanted.some((each, index) => each !== there[index])) {
    byId('phones').replaceChildren(...wanted);
  }
  byId('no-phones').hidden = inPlace.length > 0;
}

function newPhone(endpoint) {
  const phone = byId('phone').content.firstElementChild.cloneNode(true);
  phones.set(endpoint, phone);
  return phone;
}

function latestFirst() {
  const time = ({ lastPush }) => lastPush?.time ?? '';
  return [...devices].sort((a, b) => (time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0));
}

function drawDevices() {
  byId('device-rows').replaceChildren(...devices.slice(0, ROWS).map(deviceRow));
  byId('more-devices').hidden = devices.length > 0 && devices.length <= ROWS;
  byId('more-devices').textContent = devices.length === 0 ? 'None yet.' : `and ${devices.length - ROWS} more`;
}

function deviceRow({ endpoint, platform, application, enabled, customUserData, lastPush }) {
  const row = document.createElement('tr');
  const name = element('code', '', `${application} ${shortArn(endpoint)}`);
  name.title = endpoint;
  const state = element('span', enabled ? 'tag good' : 'tag bad', enabled ? 'enabled' : 'disabled');
  const title = lastPush?.failure ?? lastPush?.banner?.title ?? lastPush?.data?.type ?? lastPush?.kind;
  const last = lastPush ? `${timeOf(lastPush.time)} ${title}` : 'no push yet';
  const cells = [name, platformName(platform), state, element('code', 'data', customUserData ?? 'no user data'), last];
  row.append(...cells.map(cell));
  return row;
}

function cell(content) {
  const made = document.createElement('td');
  made.append(content);
  return made;
}

function showMails() {
  drawMails(byId('mail-list'), mails);
  byId('no-mails').hidden = mails.length > 0;
}

function drawRequests() {
  byId('request-lines').replaceChildren(...requests.map(requestLine));
  byId('no-requests').hidden = requests.length > 0;
}

function requestLine({ time, method, path, status, ms }) {
  const line = document.createElement('li');
  const kind = status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'odd' : 'good';
  line.append(
    element('time', '', timeOf(time)),
    element('span', `status ${kind}`, status === 0 ? 'left' : status),
    element('span', 'method', method),
    pathOf(path),
    element('span', 'ms', `${ms} ms`),
  );
  return line;
}

async function drawRoutes() {
  const answer = await fetch('/_local/routes').catch(() => null);
  // Without a stage the old routes stay until the stream is open again.
  if (!answer?.ok) return;
  const routes = await answer.json();
  const applications = [...new Set(routes.map(({ application }) => application))];
  byId('route-lists').replaceChildren(
    ...applications.map((application) => {
      const list = element('div', 'route-list');
      const own = routes.filter((route) => route.application === application);
      list.append(element('h3', '', application), ...own.map(routeLine));
      return list;
    }),
  );
}

function routeLine({ method, path, isPublic, permission, summary, reference }) {
  const line = element(reference ? 'a' : 'div', 'route');
  if (reference) line.href = reference;
  if (summary) line.title = summary;
  const tag = isPublic ? element('span', 'tag public', 'public') : element('span', 'tag', permission ?? 'auth');
  line.append(element('span', 'method', method), pathOf(path), tag);
  return line;
}

/** A long path breaks at its slashes. */
function pathOf(path) {
  const made = element('span', 'path');
  for (const [index, part] of path.split('/').entries()) {
    if (index > 0) made.append(document.createElement('wbr'), '/');
    made.append(part);
  }
  return made;
}

// A developer who edited the routes (npm start -- --watch) sees the new ones on return to the tab.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) drawRoutes();
});

// The phones' clocks.
setInterval(drawSoon, 10_000);
