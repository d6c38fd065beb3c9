import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SeededUser } from '../../contract/product.ts';
import type { RequestEntry } from '../gateway/exchange.ts';
import { applicationPools } from '../identity/pools.ts';
import type { StageModel } from '../model.ts';
import { shownMail } from '../ses/mails-route.ts';
import type { Ses } from '../ses/ses.ts';
import { sendJson } from './answers.ts';
import { devicesOf, type PushSource, recentPushes, shown } from './devices.ts';
import { readDocument, servedFrom } from './documents.ts';
import { openEvents } from './events.ts';
import { fileAt, sendFile } from './files.ts';
import { routesOf } from './routes.ts';

/** `/_local/`: a page that shows the running stage. */

export type PageOptions = {
  readonly model: () => StageModel;
  readonly users: readonly SeededUser[];
  /** Null if another emulator has the pushes. */
  readonly source: PushSource | null;
  /** Null if another emulator has the mails. */
  readonly mails: Pick<Ses, 'mails' | 'onMail'> | null;
};

export type Page = {
  /** False for requests that are not for the page. */
  readonly answer: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>;
  readonly onRequest: (entry: RequestEntry) => void;
  readonly close: () => void;
};

const KEPT_REQUESTS = 50;
const KEPT_MAILS = 20;

export function openPage({ model, users, source, mails }: PageOptions): Page {
  const requests: RequestLine[] = [];
  const devices = () => (source ? devicesOf(source) : []);
  const snapshot = () => ({
    hasPushes: source !== null,
    devices: devices(),
    pushes: source ? recentPushes(source) : [],
    hasMails: mails !== null,
    mails: (mails?.mails() ?? []).slice(-KEPT_MAILS).map(shownMail),
    requests,
  });
  const events = openEvents(snapshot, devices);
  const stop = source?.onPush((push) => events.send('push', shown(push)));

  const stopMails = mails?.onMail((mail) => events.send('mail', shownMail(mail)));

  const json: Readonly<Record<string, (request: IncomingMessage) => unknown>> = {
    '/_local/routes': async () => routesOf(model(), await readDocument()),
    '/_local/devices': devices,
    '/_local/users': () => usersOf(model(), users),
    '/_local/openapi.json': async ({ headers }) => servedFrom(await readDocument(), `http://${headers.host}`),
  };

  return {
    answer: async (request, response, { pathname }) => {
      if (request.method !== 'GET') return false;
      const file = fileAt(pathname);
      const value = Object.hasOwn(json, pathname) ? json[pathname] : undefined;
      if (pathname === '/_local/events') events.join(response);
      else if (pathname === '/_local') response.writeHead(302, { Location: '/_local/' }).end();
      else if (file) await sendFile(response, file);
      else if (value) sendJson(response, await value(request));
      else return false;
      return true;
    },
    onRequest: (entry) => {
      const line = requestLine(entry, new Date());
      requests.push(line);
      if (requests.length > KEPT_REQUESTS) requests.shift();
      events.send('request', line);
    },
    close: () => {
      stop?.();
      stopMails?.();
    },
  };
}

/** The users who can get a token here, with their app clients and without passwords. */
function usersOf(model: StageModel, users: readonly SeededUser[]) {
  const pools = applicationPools(model);
  return users.map(({ name, application, roles }) => {
    const clients = pools.get(application)?.clients ?? [];
    return { name, application, roles, clients: clients.map((client) => client.name) };
  });
}

type RequestLine = Pick<RequestEntry, 'method' | 'path' | 'status'> & { readonly ms: number; readonly time: string };

function requestLine({ method, path, status, durationMs }: RequestEntry, now: Date): RequestLine {
  return { time: now.toISOString(), method, path, status, ms: Math.round(durationMs) };
}
