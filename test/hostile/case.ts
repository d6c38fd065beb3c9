import type { World } from './world.ts';

/** One hostile request as data: the bytes, and what has to come back. */

/** Strings are bytes, one a character (latin1); pieces are written one after the other, with a pause between them. */
export type Bytes = string | Buffer | readonly (string | Buffer)[];

export type Case = {
  readonly name: string;
  readonly bytes: Bytes | ((world: World) => Bytes);
  readonly status: number;
  /** Null: no error, but a proper answer. */
  readonly code: string | null;
  /** The gateway's front answers by itself, before any API is found: AWS's id header, and none of the API's. */
  readonly isFront?: boolean;
  /** Where more than one answer is due on the connection. */
  readonly answers?: number;
};

export type Parts = {
  readonly token?: string | undefined;
  /** Header lines as they are sent, `Name: value`. */
  readonly lines?: readonly string[];
  /** A string is sent in UTF-8. */
  readonly body?: string | Buffer;
  /** In place of `application/json`; null sends none. */
  readonly contentType?: string | null;
};

/** The bytes of a well-formed request whose parts may be anything: `request('GET /de/v1/health')`. */
export function request(line: string, parts: Parts = {}): Buffer {
  const { token, lines = [], body, contentType = 'application/json' } = parts;
  const content = Buffer.from(body ?? '');
  const head = [
    `${line} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : [`Content-Length: ${content.length}`]),
    ...(body === undefined || contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...lines,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

export const device = '/de/v1/users/me/devices/hostile-1';

/** A registration as the app sends it. */
export const phone = {
  platform: 'ios',
  token: 'a'.repeat(64),
  environment: 'sandbox',
  appVersion: '1.0.0',
  locale: 'en',
};
